/** The binary of the optional ripgrep package; undefined where it is not installed for this platform. */
export async function bundledRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}
