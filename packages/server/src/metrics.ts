const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10] as const;

interface Series {
  readonly byStatus: Map<number, number>;
  count: number;
  sum: number;
  readonly buckets: number[];
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${value}`;
}

function head(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}`;
}

/** The server's counters in Prometheus text format. Each label has only a few possible values. */
export class Metrics {
  readonly #series = new Map<string, Series>();
  underway = 0;

  count(route: string, status: number, seconds: number): void {
    const series = this.#series.get(route) ?? this.#begin(route);
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
    series.count += 1;
    series.sum += seconds;
    const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.buckets[bucket]! += 1;
  }

  #begin(route: string): Series {
    const series = { byStatus: new Map(), count: 0, sum: 0, buckets: BOUNDS.map(() => 0) };
    this.#series.set(route, series);
    return series;
  }

  #requestLines(): string[] {
    return [...this.#series].flatMap(([route, { byStatus }]) =>
      [...byStatus].map(([status, value]) =>
        sample("waybill_http_requests_total", `route="${route}",status="${status}"`, value),
      ),
    );
  }

  #durationLines(): string[] {
    const name = "waybill_http_request_duration_seconds";
    return [...this.#series].flatMap(([route, { count, sum, buckets }]) => {
      const labels = `route="${route}"`;
      let below = 0;
      const lines = BOUNDS.map((bound, index) => {
        below += buckets[index]!;
        return sample(`${name}_bucket`, `${labels},le="${bound}"`, below);
      });
      return [
        ...lines,
        sample(`${name}_bucket`, `${labels},le="+Inf"`, count),
        sample(`${name}_sum`, labels, sum),
        sample(`${name}_count`, labels, count),
      ];
    });
  }

  text(): string {
    const { heapUsed, rss } = process.memoryUsage();
    return [
      head("waybill_http_requests_total", "counter", "Requests answered."),
      ...this.#requestLines(),
      head("waybill_http_request_duration_seconds", "histogram", "Duration of the requests."),
      ...this.#durationLines(),
      head("waybill_http_requests_underway", "gauge", "Requests in progress."),
      sample("waybill_http_requests_underway", "", this.underway),
      head("process_resident_memory_bytes", "gauge", "Memory of the process."),
      sample("process_resident_memory_bytes", "", rss),
      head("nodejs_heap_size_used_bytes", "gauge", "Heap in use."),
      sample("nodejs_heap_size_used_bytes", "", heapUsed),
      "",
    ].join("\n");
  }
}
