/** The first of these media types that a request wants most; the first one where it names none of them. */
export function chooseType<Type extends string>(request: Request, types: readonly [Type, ...Type[]]): Type {
  const accepted = (request.headers.get('accept') ?? '')
    .split(',')
    .map((part) => part.split(';').map((each) => each.trim().toLowerCase()))
    .map(([media = '', ...rest]) => ({ media, weight: weightOf(rest) }))
    .sort((a, b) => b.weight - a.weight);
  for (const { media, weight } of accepted) {
    const type = types.find((each) => weight > 0 && each === media);
    if (type !== undefined) return type;
  }
  return types[0];
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((each) => each.startsWith('q='));
  const weight = given === undefined ? 1 : Number(given.slice(2));
  return Number.isNaN(weight) ? 0 : weight;
}
