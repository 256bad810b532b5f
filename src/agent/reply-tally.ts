/** Counts what happens by key, once a reply: the calls of one reply are written before any of them is answered. */
export interface ReplyTally {
  /** How many replies it was in, this one included. */
  count(key: string, reply: number): number;
  clear(key?: string): void;
}

export function createReplyTally(): ReplyTally {
  const counts = new Map<string, { count: number; reply: number }>();
  return {
    count(key, reply) {
      const before = counts.get(key);
      const count = (before?.count ?? 0) + (before?.reply === reply ? 0 : 1);
      counts.set(key, { count, reply });
      return count;
    },
    clear(key) {
      if (key === undefined) counts.clear();
      else counts.delete(key);
    },
  };
}
