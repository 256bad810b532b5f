import type { RawReply } from "./reply.js";
import { digest, sizeOf } from "./scripted-models.js";
import type { ScriptedModel } from "./scripted-models.js";

/** What the server has of a model that is being pulled. */
export interface PullState {
  /** Steps of the large layer that have come; Infinity for an installed model. */
  done: number;
  /** The scripted fault has been. */
  failed: boolean;
}

const CONFIG_BYTES = 487;
const DEFAULT_STEPS = 4;

/**
 * The answer to POST /api/pull for a model that the registry has: progress of the large layer from where the last
 * pull stopped, then of a small one. `onSuccess` is called when the last byte has been asked for.
 */
export function pullReply(model: ScriptedModel, state: PullState, onSuccess: () => void): RawReply {
  const { steps = DEFAULT_STEPS, chunkDelay = 0, failAfter, failure } = model.pull ?? {};
  const total = sizeOf(model);
  const fails = failAfter !== undefined && !state.failed;

  function* lines(): Generator {
    const layer = digest(model);
    const progress = { status: `pulling ${layer.slice(0, 12)}`, digest: `sha256:${layer}`, total };
    yield { status: "pulling manifest" };
    if (state.done === 0) yield progress;
    else yield { ...progress, completed: Math.floor(total * Math.min(1, state.done / steps)) };
    while (state.done < steps) {
      if (fails && state.done >= failAfter) {
        state.failed = true;
        if (failure !== undefined) yield { error: failure };
        return;
      }
      state.done += 1;
      yield { ...progress, completed: Math.floor((total * state.done) / steps) };
    }
    const config = layer.split("").reverse().join("");
    const small = { status: `pulling ${config.slice(0, 12)}`, digest: `sha256:${config}` };
    yield { ...small, total: CONFIG_BYTES, completed: CONFIG_BYTES };
    yield { status: "verifying sha256 digest" };
    yield { status: "writing manifest" };
    onSuccess();
    yield { status: "success" };
  }

  function* pieces(): Generator<string> {
    for (const line of lines()) yield `${JSON.stringify(line)}\n`;
  }
  return { pieces: pieces(), chunkDelay, ...(fails && failure === undefined && { cut: true }) };
}
