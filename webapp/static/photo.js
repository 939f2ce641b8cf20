// A photo is sent to the browser once, by an element of its own that never changes; the score view finds it
// here by name. A photo that is no longer part of the page is forgotten.

export default function keepPhoto({ data }) {
  const photos = (window.cascadiaPhotos ??= new Map());
  photos.set(data.name, data.url);
  window.dispatchEvent(new Event("cascadia-photo"));
  return () => photos.delete(data.name);
}
