// libjpeg-turbo as any program calls it: a whole picture to red, green and blue.
#ifndef C_JPEG_PEER_H
#define C_JPEG_PEER_H
/// Decodes all of `bytes` into `rgb`, which holds 3 × `width` × `height` bytes. 0 when it went well.
int jpeg_peer_decode(const unsigned char *bytes, unsigned long count, unsigned char *rgb, int width, int height);
#endif
