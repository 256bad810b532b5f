import { messageOf } from "../errors.js";
import type { Connection } from "./connection.js";
import type { ModelSetup } from "./model.js";
import type { Notice } from "./notices.js";
import { warning } from "./notices.js";

/** What happens around the model of a run besides asking it; what goes wrong is told, and nothing else happens. */
export interface ModelCare {
  /** What was found out about the loaded model is told with the next event. */
  checkAllocation(model: ModelSetup): Promise<void>;
  /** It did not fit into memory: the next session takes a smaller window. */
  stepDown(model: ModelSetup): Promise<void>;
  /** So that the next run takes this model again. */
  remember(name: string): void;
  /** Takes it out of the server's memory; what went wrong. */
  unload(name: string): Promise<Notice[]>;
  /** Resolves when all that was to be remembered is. */
  settled(): Promise<void>;
}

/** @param tell what the user is told with the next event */
export function createModelCare(connection: Connection, tell: (...notices: Notice[]) => void): ModelCare {
  let remembering = Promise.resolve();

  async function orTell(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      tell(warning("not-saved", messageOf(error)));
    }
  }

  return {
    async checkAllocation(model) {
      tell(...(await model.checkAllocation()).map(({ code, text }) => warning(code, text)));
    },
    stepDown: (model) =>
      orTell(async () => {
        tell(...(await model.stepDown()).map(({ code, text }) => warning(code, text)));
      }),
    remember(name) {
      remembering = remembering.then(() => orTell(() => connection.remember(name)));
    },
    async unload(name) {
      try {
        await connection.client.unload(name);
        return [];
      } catch (error) {
        return [warning("not-unloaded", `${name} was not unloaded: ${messageOf(error)}`)];
      }
    },
    settled: () => remembering,
  };
}
