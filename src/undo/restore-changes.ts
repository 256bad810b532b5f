import { UserError } from "../errors.js";
import { describeError } from "../tools/tool-failure.js";
import { openChangeSet, readChangeSet } from "./change-set.js";
import type { Change, OpenChangeSet } from "./change-set.js";
import { createPace } from "./pace.js";
import { displayOf, pathOf } from "./path-key.js";
import { isKept, sameState } from "./path-state.js";
import { lookAtPresent } from "./present.js";
import { readState } from "./read-state.js";
import { planRestore } from "./restore-plan.js";
import type { RestorePlan, Step } from "./restore-plan.js";
import { restore } from "./restore.js";

/** What the user is asked before newer changes are destroyed, or something cannot come back. */
export interface RestoreQuestion {
  /** Paths that something else has changed since. */
  newer: readonly string[];
  /** Paths whose content was not kept: they would stay as they are. */
  lost: readonly string[];
}

export type RestoreOutcome =
  /** The change set is not there any more. */
  | { kind: "gone" }
  | { kind: "blocked"; blocked: readonly { path: string; because: string }[] }
  | { kind: "declined" }
  | {
      kind: "done";
      /** The set that reverses it. */
      reverse: { id: string; changes: readonly Change[] };
      lost: readonly string[];
      /** Something happened in the turn that was not noted. */
      incomplete: boolean;
    };

export interface RestorePlace {
  root: string;
  /** Of the change sets. */
  folder: string;
}

/**
 * Brings every path of a change set to the state before, all of them or none. Nothing is touched before everything is
 * worked out, its content is at hand, and the present state is kept, so that it can be reversed. Throws UserError if it
 * fails all the same; what had been done is undone then.
 *
 * @param confirm asked where something would be lost; false changes nothing
 */
export async function restoreChanges(
  id: string,
  { root, folder }: RestorePlace,
  confirm: (question: RestoreQuestion) => Promise<boolean>,
): Promise<RestoreOutcome> {
  const set = readChangeSet(folder, id);
  if (set === undefined) return { kind: "gone" };
  let agreed = "";
  for (;;) {
    const plan = await planFor(set.changes, root);
    if (plan.blocked.length > 0) {
      const blocked = plan.blocked.map(({ path, because }) => ({ path: displayOf(path), because }));
      return { kind: "blocked", blocked };
    }
    const question = { newer: plan.newer.map(displayOf), lost: plan.lost.map(displayOf) };
    // Time has passed with the question: it holds for what was there when it was asked.
    const asked = JSON.stringify(plan);
    if (question.newer.length + question.lost.length === 0 || asked === agreed) {
      const reverse = await carryOut(plan, { root, folder });
      return { kind: "done", reverse, lost: question.lost, incomplete: set.incomplete };
    }
    if (!(await confirm(question))) return { kind: "declined" };
    agreed = asked;
  }
}

async function planFor(changes: readonly Change[], root: string): Promise<RestorePlan> {
  const paths = changes.map(({ path }) => path);
  return planRestore(changes, await lookAtPresent(root, paths));
}

async function carryOut(
  plan: RestorePlan,
  { root, folder }: RestorePlace,
): Promise<{ id: string; changes: readonly Change[] }> {
  const reverse = openChangeSet(folder);
  const steps: Step[] = [];
  try {
    const pace = createPace(Infinity);
    for (const step of plan.steps) {
      steps.push(prepared(step, root, reverse));
      await pace();
    }
    reverse.close({
      changes: steps.map(({ path, from, to }) => ({ path, before: from, after: to })),
      incomplete: false,
    });
  } catch (error) {
    reverse.discard();
    throw failure("nothing was changed", error);
  }
  try {
    await restore(root, steps);
  } catch (error) {
    await rollBack(root, steps, error);
    reverse.discard();
    throw failure("what had been done was taken back", error);
  }
  return { id: reverse.id, changes: steps.map(({ path, from, to }) => ({ path, before: from, after: to })) };
}

/** The step with both contents in the set that reverses it. Throws if one of them is not there. */
function prepared({ path, from, to }: Step, root: string, set: OpenChangeSet): Step {
  const target = set.adopt(to);
  if (!isKept(target)) throw new Error(`the content of ${displayOf(path)} is damaged`);
  // Where nothing lay, a folder above may be a link.
  const present = from.kind === "absent" ? from : readState(pathOf(root, path), set.keep);
  if (present === undefined || !sameState(present, from))
    throw new Error(`${displayOf(path)} changed just now`);
  return { path, from: present, to: target };
}

async function rollBack(root: string, steps: readonly Step[], cause: unknown): Promise<void> {
  const done = steps.map(({ path, from, to }) => ({ path, before: from, after: to }));
  try {
    await restore(root, (await planFor(done, root)).steps);
  } catch (error) {
    throw failure(`taking back what had been done failed, too (${describeError(error)})`, cause);
  }
}

function failure(what: string, cause: unknown): UserError {
  return new UserError(`it failed: ${describeError(cause)}; ${what}`, {
    code: "undo-failed",
    hint: "Remove the cause and try again; /diff shows what the turn changed.",
    cause,
  });
}
