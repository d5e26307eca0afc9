// The moment, the picked body and the open panel in the address, behind its "#": a link to what is shown.

export interface Place { time?: number; body?: number; panel?: string }

/** What an address says: "#t=1.25&body=3&panel=solver". What is no number is left out. */
export function readPlace(fragment: string): Place {
  const words = new URLSearchParams(fragment.replace(/^#/, "")), place: Place = {};
  const number = (name: string) => words.has(name) && Number.isFinite(Number(words.get(name))) ? Number(words.get(name)) : undefined;
  place.time = number("t");
  place.body = number("body");
  place.panel = words.get("panel") ?? undefined;
  return place;
}

export function writePlace({ time, body, panel }: Place): string {
  const words: string[] = [];
  if (time !== undefined) words.push(`t=${Number(time.toFixed(6))}`);
  if (body !== undefined && body >= 0) words.push(`body=${body}`);
  if (panel) words.push(`panel=${panel}`);
  return `#${words.join("&")}`;
}
