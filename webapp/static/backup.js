// The game without its photos, kept in this browser too: if the server has forgotten it (it was restarted, or
// a day has passed), the page asks for it back.

export default function backup({ data, setStateValue }) {
  const place = `cascadia game ${data.game}`;
  try {
    if (data.saved) {
      for (const other of Object.keys(localStorage)) {
        if (other.startsWith("cascadia game ") && other !== place) localStorage.removeItem(other);
      }
      localStorage.setItem(place, data.saved);
    } else if (data.wanted) {
      const saved = localStorage.getItem(place);
      if (saved) setStateValue("restored", { game: data.game, saved });
    }
  } catch {
    // A browser that closes its storage to the page keeps no backup; the server still has the game.
  }
}
