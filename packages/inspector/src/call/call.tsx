export function Call({ id }: { readonly id: string }) {
  return <h1>{id}</h1>;
}
