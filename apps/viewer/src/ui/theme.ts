// Light or dark: as the system says, until the reader chooses.

const KEY = "cairn-theme";

type Listener = (isDark: boolean) => void;

export class Theme {
  isDark: boolean;
  private readonly listeners = new Set<Listener>();

  constructor() {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = load();
    this.isDark = chosen ? chosen === "dark" : system.matches;
    system.addEventListener("change", () => { if (!load()) this.set(system.matches); });
    this.set(this.isDark);
  }

  toggle(): void {
    this.set(!this.isDark);
    try { localStorage.setItem(KEY, this.isDark ? "dark" : "light"); } catch { /* not every page may keep things: then it is not kept */ }
  }

  /** Call `listener` at each change; the answer ends that. */
  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  }

  private set(isDark: boolean): void {
    this.isDark = isDark;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    for (const listener of this.listeners) listener(isDark);
  }
}

function load(): string | null {
  try { return localStorage.getItem(KEY); } catch { return null; }
}
