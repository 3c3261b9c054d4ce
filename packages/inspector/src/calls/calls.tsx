export function Calls() {
  return <h1>Calls</h1>;
}
