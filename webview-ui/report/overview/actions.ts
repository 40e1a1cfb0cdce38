/** What a part of the page can do. */
export interface OverviewActions {
  search(query: string): void;
  openTape(path: string): void;
}
