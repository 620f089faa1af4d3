/** A map of the entries that were set last: beyond `most`, the oldest is forgotten. */
export class RecentMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly most: number) {}

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  /** A known key becomes the latest. */
  set(key: K, value: V): void {
    this.entries.delete(key);
    if (this.entries.size >= this.most) this.entries.delete(this.entries.keys().next().value!);
    this.entries.set(key, value);
  }

  delete(key: K): void {
    this.entries.delete(key);
  }
}
