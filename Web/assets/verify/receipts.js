// Receipts of captures sent from this browser; each authorizes the deletion of its capture.

const prefix = "mien.capture.";

export function remember(id, receipt) {
  try {
    localStorage.setItem(prefix + id, receipt);
  } catch {
    // Storage is disabled: the capture can be deleted only through the API.
  }
}

export function receiptOf(id) {
  try {
    return localStorage.getItem(prefix + id);
  } catch {
    return null;
  }
}

export function forget(id) {
  localStorage.removeItem(prefix + id);
}
