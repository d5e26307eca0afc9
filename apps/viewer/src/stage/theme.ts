// Colours of the stage by day and by night.
import { Color, ColorManagement } from "three";

// Colours are mixed as they are shown. Turning linear light into colours takes a power for each channel of each pixel,
// which without a graphics card is most of a picture's time.
ColorManagement.enabled = false;

export interface Theme {
  background: Color;
  ground: Color;
  gridLine: Color;
  fixed: Color;
  driven: Color;
  free: Color[];
  sky: Color; // light from above
  earth: Color; // and from below
  skyStrength: number;
  sunStrength: number;
  kinds: Color[]; // of contacts by ContactKind: off, on, slide, edge, stick
  normal: Color;
  cone: Color;
  highlight: Color;
  axes: Color[]; // x, y, z
  link: Color;
  shadowStrength: number;
}

const colors = (list: string): Color[] => list.split(" ").map((text) => new Color(text));

const light: Theme = {
  background: new Color("#ecebe7"),
  ground: new Color("#fbfaf8"),
  gridLine: new Color("#c6c2b9"),
  fixed: new Color("#a9a7a1"),
  driven: new Color("#e3a72f"),
  free: colors("#5a8fc0 #cf7a5e #6fa583 #a486bd #4fa3a5 #c0748e #949a55 #7d86c6"),
  sky: new Color("#ffffff"),
  earth: new Color("#cfc9bf"),
  skyStrength: 2.35,
  sunStrength: 1.05,
  kinds: colors("#8b8f94 #2f6fb5 #d1491b #d99a00 #0b8f63"),
  normal: new Color("#3d4450"),
  cone: new Color("#7a5bb0"),
  highlight: new Color("#e0007a"),
  axes: colors("#d6453d #3f9b4b #3d6fd6"),
  link: new Color("#8a8f98"),
  shadowStrength: 1,
};

const dark: Theme = {
  background: new Color("#15181d"),
  ground: new Color("#1d2127"),
  gridLine: new Color("#3a404a"),
  fixed: new Color("#6d7278"),
  driven: new Color("#e0a63a"),
  free: colors("#6a9fd0 #d98a6d #7fb593 #b297cb #5fb3b5 #cf849d #a5ab65 #8f98d6"),
  sky: new Color("#dfe8ff"),
  earth: new Color("#77726c"),
  skyStrength: 2.1,
  sunStrength: 1.15,
  kinds: colors("#878c93 #5ea0ea #ff6a3a #f5b92e #2ec48d"),
  normal: new Color("#d5dbe6"),
  cone: new Color("#a98be0"),
  highlight: new Color("#ff4fa8"),
  axes: colors("#f0645c #5fc06c #6d9cf5"),
  link: new Color("#9aa0aa"),
  shadowStrength: 2.4,
};

export function themeOf(isDark: boolean): Theme { return isDark ? dark : light; }
