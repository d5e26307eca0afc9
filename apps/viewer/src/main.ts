// The page: read what the program put into it, show the recording, open others.
import { decodeRecordingElement } from "./inflate";
import { hasSolver, readRobot, Session } from "./live/session";
import { parseRecording, type Recording } from "./recording";
import type { PageData } from "./types";
import { cardGrid } from "./ui/cards";
import { fileChooser, listenForDrops, type FileSet } from "./ui/files";
import { readPlace, writePlace } from "./ui/link";
import { emptyPage, errorPage } from "./ui/messages";
import { Theme } from "./ui/theme";
import { Viewer } from "./ui/viewer";

const EMPTY_PAGE: PageData = { title: "", about: "", warning: "", home: "", cards: [], live: false };

const root = document.documentElement;
const app = document.getElementById("app")!;
const theme = new Theme();
let viewer: Viewer | null = null;

function readPageData(): PageData {
  const text = document.getElementById("cairn-page")?.textContent;
  return text ? { ...EMPTY_PAGE, ...JSON.parse(text) } : EMPTY_PAGE;
}

function messageOf(error: unknown): string { return error instanceof Error ? error.message : String(error); }

/** Show a film, or a simulation that is running; film: to go back to. */
function show(recording: Recording, page: PageData, session: Session | null = null, film: Recording | null = null): void {
  viewer?.dispose();
  viewer = null;
  app.replaceChildren();
  root.classList.toggle("is-index", page.cards.length > 0);
  viewer = new Viewer(app, recording, page, theme,
    { chooseFile: chooser.choose, compareFile: comparer.choose, live: () => void goLive(recording.scene, page, recording), film: film && film.frames > 1 ? () => show(film, page) : null },
    session, film ?? recording);
  if (page.cards.length > 0) app.append(cardGrid(page.about, page.cards));
  document.title = `${page.title || recording.scene?.name || recording.name} – Cairn`;
  (window as any).cairn = { recording, player: viewer.player, stage: viewer.stage, session };
  root.dataset.state = "ready";
  root.dataset.live = String(session !== null);
  if (session) return viewer.player.play();
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches && recording.frames > 1) viewer.player.play();
}

/** Simulate a scene here. Where the solver cannot start, what is shown stays, with a sentence. */
async function goLive(scene: any, page: PageData, film: Recording | null): Promise<void> {
  try {
    const session = await Session.start(scene, page.title || scene.name || "scene");
    show(session.recording, page, session, film);
  } catch (error) {
    if (viewer) viewer.say(`The simulation cannot run here: ${messageOf(error)}`, true);
    else showError(messageOf(error));
  }
}

/** A page that plays something goes on; the others become the page of the error. */
function showError(message: string): void {
  if (viewer) { viewer.say(message, true); return; }
  app.replaceChildren(errorPage(message, chooser.choose));
  root.dataset.state = "error";
}

function parse(bytes: ArrayBuffer, name: string): Recording {
  const recording = parseRecording(bytes, name);
  if (recording.frames === 0) throw new Error(`${name}: the recording has no whole frame. ${recording.warning}`.trim());
  return recording;
}

const ROBOT = /\.(urdf|xml|mjcf)$/i;

/** A recording is shown; a scene, JSON, is simulated, as is a robot, with the meshes that come along. */
async function openFiles(files: FileSet): Promise<void> {
  try {
    const robot = hasSolver() ? robotAmong(files) : null;
    if (robot) return await openRobot(robot, files);
    const [file] = files.values(), bytes = await file.arrayBuffer(), scene = sceneOf(bytes);
    if (scene) return await goLive(scene, { ...EMPTY_PAGE, title: scene.name || file.name }, null);
    show(parse(bytes, file.name), EMPTY_PAGE);
  } catch (error) {
    showError(messageOf(error));
  }
}

/** The file of a robot: the one that is no deeper in folders than any other, URDF before XML. */
function robotAmong(files: FileSet): string | null {
  const rank = (path: string) => 2 * path.split("/").length + (/\.urdf$/i.test(path) ? 0 : 1);
  return [...files.keys()].filter((path) => ROBOT.test(path)).sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

async function openRobot(path: string, files: FileSet): Promise<void> {
  const contents = new Map<string, ArrayBuffer>();
  for (const [name, file] of files) contents.set(name, await file.arrayBuffer());
  const { scene, warnings } = await readRobot(path, contents);
  await goLive(scene, { ...EMPTY_PAGE, title: scene.name || path }, null);
  const missing = warnings.filter((line) => /there is no file/.test(line)).length, others = warnings.length - missing;
  if (missing > 0) viewer?.say(`${missing === 1 ? "A mesh was" : `${missing} meshes were`} not dropped along: shapes without a file are left out. Drop the whole folder to have them.`);
  if (others > 0) viewer?.say(`${path}: ${warnings.filter((line) => !/there is no file/.test(line)).slice(0, 2).join("; ")}${others > 2 ? `; and ${others - 2} more` : ""}`);
}

/** Show a recording beside the one that plays. */
async function compareWith(files: FileSet): Promise<void> {
  try {
    const [file] = files.values();
    viewer?.compare(parse(await file.arrayBuffer(), file.name));
  } catch (error) {
    showError(messageOf(error));
  }
}

/** The scene that a file holds; null: it holds none. */
function sceneOf(bytes: ArrayBuffer): any {
  const text = new Uint8Array(bytes, 0, Math.min(64, bytes.byteLength));
  if (!hasSolver() || !/^\s*\{/.test(String.fromCharCode(...text))) return null;
  try { return JSON.parse(new TextDecoder().decode(bytes)); } catch (error) { throw new Error(`This is no scene: ${messageOf(error)}`); }
}

async function openPage(): Promise<void> {
  const element = document.getElementById("cairn-recording");
  if (!element) {
    const { about, cards } = readPageData();
    root.classList.toggle("is-index", cards.length > 0);
    app.replaceChildren(cards.length > 0 ? cardGrid(about, cards) : emptyPage(chooser.choose));
    root.dataset.state = "empty";
    return;
  }
  try {
    const page = readPageData();
    const recording = parse(await decodeRecordingElement(element), page.title || "recording");
    const place = readPlace(location.hash);
    show(recording, page);
    viewer?.goTo(place);
    const other = document.getElementById("cairn-other");
    if (other) viewer?.compare(parse(await decodeRecordingElement(other), "the other recording"));
    if (page.live && place.time === undefined) await goLive(recording.scene, page, recording);
  } catch (error) {
    showError(messageOf(error));
  }
}

/** The address follows what is shown while nothing plays: it can be copied at any time. */
function keepAddress(): void {
  if (!viewer || viewer.player.isPlaying) return;
  const address = writePlace(viewer.place);
  if (address !== location.hash) history.replaceState(null, "", address);
}

setInterval(keepAddress, 500);
const chooser = fileChooser((files) => void openFiles(files), ".crn,.json,.urdf,.xml,.mjcf,.stl,.obj,.dae,.ply", "Recording, scene or robot");
const comparer = fileChooser((files) => void compareWith(files), ".crn", "Recording to compare with");
document.body.append(chooser.element);
listenForDrops((files) => void openFiles(files));
void openPage();
