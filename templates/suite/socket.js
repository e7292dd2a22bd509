/** The line to the server. */

const FIRST_WAIT = 200; // milliseconds, doubled after every failure
const LONGEST_WAIT = 4000;
const FINAL = { 4001: "elsewhere", 4400: "refused", 4404: "gone" };

/**
 * Connect, and connect again whenever the line breaks.
 * @param {string} key the session's key
 * @param {(frame: object) => void} onFrame called with every frame
 * @param {(trouble: "lost"|"elsewhere"|"refused"|"gone"|null) => void} onTrouble why there is no line; null: there is
 * @returns {(message: object) => void} sends a message; what cannot be sent is dropped, for the state may have changed
 */
export function connect(key, onFrame, onTrouble) {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/play/${key}/socket`;
  let [socket, wait] = [null, FIRST_WAIT];
  const open = () => {
    socket = new WebSocket(address);
    socket.onmessage = ({ data }) => {
      wait = FIRST_WAIT;
      onTrouble(null);
      onFrame(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      onTrouble(FINAL[code] ?? "lost");
      if (FINAL[code]) return;
      setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  };
  open();
  return (message) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
}
