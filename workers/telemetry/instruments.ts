import type { MetricCounter, MetricHistogram, MetricMeter } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import { type Count, counters, histograms } from '../../domain/views/metric-counts.ts';

/** For the exporter, which counts in buckets for other times otherwise. */
export const histogramBuckets: Record<string, number[]> = Object.fromEntries(
  Object.entries(histograms).map(([name, { buckets }]) => [name, [...buckets]]),
);

interface Instruments {
  counters: Map<Count['name'], MetricCounter>;
  latency: MetricHistogram;
}

/** Each is made once: to make one goes down to the exporter. */
const made = new WeakMap<MetricMeter, Instruments>();

function instruments(): Instruments & { meter: MetricMeter } {
  const { unit, about } = histograms.heddle_model_latency;
  const meter = Runtime.instance().metricMeter;
  const cached = made.get(meter) ?? {
    counters: new Map<Count['name'], MetricCounter>(),
    latency: meter.createHistogram('heddle_model_latency', 'float', unit, about),
  };
  made.set(meter, cached);
  return { ...cached, meter };
}

export function addCount({ name, by, tags }: Count): void {
  const { counters: createdCounters, meter } = instruments();
  const counter = createdCounters.get(name) ?? meter.createCounter(name, undefined, counters[name]);
  createdCounters.set(name, counter);
  counter.add(by, tags);
}

export function recordLatency(ms: number, tags: Count['tags']): void {
  instruments().latency.record(ms / 1_000, tags);
}
