export const DEFAULT_KEEP_ALIVE_MS = 5 * 60_000;
/** Go's longest duration, some 292 years. */
const FOREVER_MS = 9_223_372_036_854;
const UNIT_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, ns: 1e-6 };

/** Milliseconds for which a model stays loaded; undefined if the server cannot read the value. */
export function keepAliveMs(value: unknown): number | undefined {
  if (value === undefined || value === null) return DEFAULT_KEEP_ALIVE_MS;
  if (typeof value === "number") return value < 0 ? FOREVER_MS : value * 1000;
  if (typeof value !== "string") return undefined;
  if (/^-?0$/u.test(value)) return 0;
  if (!/^-?(?:[\d.]+(?:h|ms|m|s|us|ns))+$/u.test(value)) return undefined;
  if (value.startsWith("-")) return FOREVER_MS;
  const parts = [...value.matchAll(/([\d.]+)([a-z]+)/gu)];
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (UNIT_MS[unit] ?? 0), 0);
}
