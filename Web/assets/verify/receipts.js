// The receipts of captures that were sent from this browser; each erases its capture.

const prefix = "mien.capture.";

export function remember(id, receipt) {
  try {
    localStorage.setItem(prefix + id, receipt);
  } catch {
    // Without storage nothing can be erased from here; the API can.
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
