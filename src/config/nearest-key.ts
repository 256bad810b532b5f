import { editDistance } from "../edit-distance.js";
import { CONFIG_KEYS } from "./schema.js";

/** Advice for an unknown key of a section: the most similar valid key, or all of the section if none is similar. */
export function nearestKey(section: readonly (string | number)[], key: string): string {
  const prefix = section.map((name) => `${name}.`).join("");
  const written = simplified(key);
  const [nearest] = CONFIG_KEYS.map((candidate) => ({
    candidate,
    distance: editDistance(written, simplified(candidate.slice(candidate.lastIndexOf(".") + 1))),
    elsewhere: candidate.startsWith(prefix) ? 0 : 1,
  })).sort((a, b) => a.distance - b.distance || a.elsewhere - b.elsewhere);
  if (nearest && nearest.distance <= Math.max(2, written.length / 3))
    return `did you mean "${nearest.candidate}"?`;
  return `valid keys are ${CONFIG_KEYS.filter((candidate) => candidate.startsWith(prefix)).join(", ")}`;
}

function simplified(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, "");
}
