export function Capability({ id }: { readonly id: string }) {
  return <h1>{id}</h1>;
}
