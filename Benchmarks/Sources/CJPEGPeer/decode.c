#include "CJPEGPeer.h"

#include <turbojpeg.h>

int jpeg_peer_decode(const unsigned char *bytes, unsigned long count, unsigned char *rgb, int width, int height) {
  tjhandle handle = tjInitDecompress();
  if (!handle) return -1;
  int status = tjDecompress2(handle, bytes, count, rgb, width, width * 3, height, TJPF_RGB, 0);
  tjDestroy(handle);
  return status;
}
