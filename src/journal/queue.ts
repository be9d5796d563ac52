/** First in, first out, without moving all items at each shift. */
export interface Queue<T> {
  push(item: T): void;
  shift(): T | undefined;
  size(): number;
}

export function createQueue<T>(): Queue<T> {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    shift() {
      const item = items[head++];
      if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    size: () => items.length - head,
  };
}
