export function Capabilities() {
  return <h1>Capabilities</h1>;
}
