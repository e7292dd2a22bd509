/** Outlines of sets of grid cells, for pieces that span many cells: floors, paint, tinted areas. */

const RIGHT = [1, 0];
const DOWN = [0, 1];
const LEFT = [-1, 0];
const UP = [0, -1];

/**
 * The outline of a set of cells as one path with rounded corners. Cells that touch only by a corner stay apart.
 *
 * @param {(row: number, col: number) => boolean} inside whether a cell belongs to the set
 * @param {{rows: number, cols: number, left: number, top: number, cell: number}} grid where the cells lie, pixels
 * @param {number | ((x: number, y: number) => number)} radius of the corners, pixels; by lattice point if a function
 * @param {number} [inset] how far the outline keeps inside its cells, pixels; negative to swell
 * @returns {Path2D}
 */
export function region(inside, grid, radius, inset = 0) {
  const path = new Path2D();
  const radiusAt = typeof radius === "function" ? radius : () => radius;
  for (const loop of outlines(inside, grid)) addLoop(path, loop, grid, radiusAt, inset);
  return path;
}

/** Closed chains of corners; the set lies to the right of each edge. */
function outlines(inside, { rows, cols }) {
  const starts = new Map();
  const add = (x, y, direction) => {
    const key = y * (cols + 1) + x;
    starts.set(key, [...(starts.get(key) ?? []), { x, y, direction }]);
  };
  const has = (row, col) => row >= 0 && col >= 0 && row < rows && col < cols && inside(row, col);
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      if (!has(row, col)) continue;
      if (!has(row - 1, col)) add(col, row, RIGHT);
      if (!has(row, col + 1)) add(col + 1, row, DOWN);
      if (!has(row + 1, col)) add(col + 1, row + 1, LEFT);
      if (!has(row, col - 1)) add(col, row + 1, UP);
    }
  }
  const loops = [];
  for (const edges of starts.values()) while (edges.length > 0) loops.push(chain(starts, edges[0], cols));
  return loops;
}

/** Follow edges from one of them until they close; where two part from a point the right turn is taken. */
function chain(starts, first, cols) {
  const corners = [];
  let edge = first;
  let before = null;
  do {
    if (before !== edge.direction) corners.push({ x: edge.x, y: edge.y, from: before, to: edge.direction });
    before = edge.direction;
    const here = starts.get((edge.y + before[1]) * (cols + 1) + edge.x + before[0]);
    edge = here.find(({ direction }) => direction === turned(before)) ?? here[0];
    here.splice(here.indexOf(edge), 1);
  } while (edge !== first);
  if (corners[0].to === before) corners.shift();
  else corners[0].from = before;
  return corners;
}

function turned(direction) {
  if (direction === RIGHT) return DOWN;
  if (direction === DOWN) return LEFT;
  return direction === LEFT ? UP : RIGHT;
}

function addLoop(path, corners, { left, top, cell }, radiusAt, inset) {
  const points = corners.map(({ x, y, from, to }) => ({
    x: left + x * cell - inset * (from[1] + to[1]),
    y: top + y * cell + inset * (from[0] + to[0]),
    radius: radiusAt(x, y),
  }));
  const last = points.at(-1);
  path.moveTo((last.x + points[0].x) / 2, (last.y + points[0].y) / 2);
  points.forEach((point, i) => {
    const next = points[(i + 1) % points.length];
    const previous = points.at(i - 1);
    const room = Math.min(distance(previous, point), distance(point, next)) / 2;
    path.arcTo(point.x, point.y, next.x, next.y, Math.min(point.radius, room));
  });
  path.closePath();
}

function distance(a, b) {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}
