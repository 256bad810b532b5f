import { ModelError } from "./model-error.js";

/** How tool calls travel: in fields of their own, or as text in messages for models that know no tools. */
export type CallProtocol = "native" | "text";

/** What flag or configuration say of it; `auto` leaves it to us. */
export type ProtocolSetting = CallProtocol | "auto";

/** How the requests of a session are written. It changes only where server or model make it necessary, and for good. */
export interface RequestForm {
  /** The model that it is for. */
  readonly model: string;
  readonly protocol: CallProtocol;
  /** False: the server refuses to be told of thinking. */
  readonly sendsThink: boolean;
  /** Whether the model sees images of this type, and the server has refused none. */
  sendsImages(mediaType: string): boolean;
  /** From now on calls travel as text. False if they do already, or if the user wants it otherwise. */
  useText(): boolean;
  /**
   * Takes in why a request was refused. What of it has changed, so that the same may be asked again; else undefined.
   * @param newImages media types of the images in it that no request before it had
   */
  adapt(error: unknown, newImages?: readonly string[]): "text" | "no-think" | "no-images" | undefined;
  /** From now on images of these types are left out. False if they were before. */
  leaveOutImages(mediaTypes: readonly string[]): boolean;
}

/** What servers say where an image is at fault: its format, or what the model lacks for images. */
const IMAGE_FAULT = /\b(?:images?|clip|mmproj|multimodal)\b/i;

/**
 * @param first what a session begins with where the setting is `auto`
 * @param seesImages what the server says of the model
 */
export function createRequestForm(
  model: string,
  setting: ProtocolSetting,
  first: CallProtocol,
  seesImages = false,
): RequestForm {
  let protocol = setting === "auto" ? first : setting;
  let sendsThink = true;
  const refusedImages = new Set<string>();
  const form: RequestForm = {
    model,
    get protocol() {
      return protocol;
    },
    get sendsThink() {
      return sendsThink;
    },
    sendsImages: (mediaType) => seesImages && !refusedImages.has(mediaType),
    useText() {
      if (setting === "native" || protocol === "text") return false;
      protocol = "text";
      return true;
    },
    adapt(error, newImages = []) {
      if (!(error instanceof ModelError)) return undefined;
      if (error.kind === "no-tools" && form.useText()) return "text";
      if (error.kind === "server-error" && IMAGE_FAULT.test(error.message)) {
        return form.leaveOutImages(newImages) ? "no-images" : undefined;
      }
      if (error.kind !== "no-thinking" || !sendsThink) return undefined;
      sendsThink = false;
      return "no-think";
    },
    leaveOutImages(mediaTypes) {
      const sent = mediaTypes.filter((type) => form.sendsImages(type));
      for (const type of sent) refusedImages.add(type);
      return sent.length > 0;
    },
  };
  return form;
}
