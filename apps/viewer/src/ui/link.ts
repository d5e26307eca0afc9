// The moment, the camera, the picked body, the open panel and the plots that were added in the address, behind its "#": a link to what is
// shown.

export interface Place { time?: number; body?: number; panel?: string; view?: number[]; plots?: string[] }

/** What an address says: "#t=1.25&body=3&panel=solver". What is no number is left out. */
export function readPlace(fragment: string): Place {
  const words = new URLSearchParams(fragment.replace(/^#/, "")), place: Place = {};
  const number = (name: string) => words.has(name) && Number.isFinite(Number(words.get(name))) ? Number(words.get(name)) : undefined;
  place.time = number("t");
  place.body = number("body");
  place.panel = words.get("panel") ?? undefined;
  place.view = words.get("view")?.split(",").map(Number);
  place.plots = words.get("plots")?.split(",").filter((name) => name !== "");
  return place;
}

export function writePlace({ time, body, panel, view, plots }: Place): string {
  const words: string[] = [];
  if (time !== undefined) words.push(`t=${Number(time.toFixed(6))}`);
  if (body !== undefined && body >= 0) words.push(`body=${body}`);
  if (panel) words.push(`panel=${panel}`);
  if (view) words.push(`view=${view.map((x) => Number(x.toPrecision(5))).join(",")}`);
  if (plots && plots.length > 0) words.push(`plots=${plots.map(encodeURIComponent).join(",")}`);
  return `#${words.join("&")}`;
}
