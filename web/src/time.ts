// The instant that the page shows: the animation moves it, the charts follow.

type Listener = (t: number) => void;

export class Instant {
  private value = 0;
  private readonly listeners: Listener[] = [];

  get t(): number {
    return this.value;
  }
  set t(value: number) {
    this.value = value;
    for (const listener of this.listeners) listener(value);
  }
  follow(listener: Listener): void {
    this.listeners.push(listener);
  }
}

// The last index whose value is not above t; the list ascends or descends.
export function indexAt(list: ArrayLike<number>, t: number): number {
  const up = list.length < 2 || list[list.length - 1] >= list[0];
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (up ? list[middle] <= t : list[middle] >= t) low = middle;
    else high = middle - 1;
  }
  return low;
}
