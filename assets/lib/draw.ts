/** Drawing at random without repetition. `random` gives numbers from 0 to below 1. */
export function draw<T>(items: readonly T[], n: number, random: () => number = Math.random): T[] {
  const rest = [...new Set(items)];
  const drawn: T[] = [];
  while (drawn.length < n && rest.length > 0) {
    const [item] = rest.splice(Math.floor(random() * rest.length), 1);
    if (item !== undefined) drawn.push(item);
  }
  return drawn;
}
