/** The graph of a repository's files. */
export default function GraphView() {
  return <p class="state">There is no graph to show.</p>;
}
