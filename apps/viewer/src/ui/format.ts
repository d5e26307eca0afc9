// Numbers as people read them.

const PREFIXES: [scale: number, prefix: string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"],
  [1e-12, "p"], [1e-15, "f"]];

function short(value: number, digits: number): string { return Number(value.toPrecision(digits)).toExponential(); }

/** Four significant digits; very small and very large numbers as 1.23e-9. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return short(value, 3);
  return String(Number(value.toPrecision(4)));
}

/** A quantity with the fitting prefix: 0.00034 s is 0.34 ms. */
export function quantity(value: number, unit: string): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return `0 ${unit}`;
  const found = PREFIXES.find(([scale]) => size >= 0.9999995 * scale);
  if (!found || size >= 1e12) return `${short(value, 2)} ${unit}`; // beyond all measure: what is left of rounding
  return `${Number((value / found[0]).toPrecision(4))} ${found[1]}${unit}`;
}

/** Decimals that tell neighbouring frames apart. */
export function timeDecimals(interval: number): number {
  if (!(interval > 0)) return 3;
  return Math.min(6, Math.max(2, Math.ceil(-Math.log10(interval) - 1e-9) + (interval < 0.01 ? 0 : 1)));
}

/** With that many decimals; never -0. */
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

export function count(value: number, one: string, many = one + "s"): string { return `${value} ${value === 1 ? one : many}`; }

/** A round number not below `value`: 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(value)));
  for (const factor of [1, 2, 5]) if (factor * power >= value * (1 - 1e-9)) return factor * power;
  return 10 * power;
}
