/** The place where models are looked for: the variables of one environment. */
export interface SearchLocation {
  value: (name: string) => string | undefined;
}
