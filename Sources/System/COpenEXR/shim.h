#pragma once
#include <OpenEXR/openexr.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Reads one channel of an OpenEXR image from memory. The library's structures hold unions and callbacks that Swift cannot express.

typedef struct {
  const uint8_t *bytes;
  uint64_t count;
} mien_exr_source;

typedef struct {
  exr_context_t context;
  mien_exr_source source;
  int32_t left, top, width, height;
  int32_t rows_per_chunk;
  char channel[32];
} mien_exr_file;

static inline int64_t mien_exr_read(
    exr_const_context_t context, void *user, void *buffer, uint64_t size, uint64_t offset,
    exr_stream_error_func_ptr_t report) {
  const mien_exr_source *source = (const mien_exr_source *)user;
  (void)context;
  (void)report;
  if (offset > source->count) return -1;
  uint64_t rest = source->count - offset;
  uint64_t part = size < rest ? size : rest;
  memcpy(buffer, source->bytes + offset, (size_t)part);
  return (int64_t)part;
}

static inline int64_t mien_exr_size(exr_const_context_t context, void *user) {
  (void)context;
  return (int64_t)((const mien_exr_source *)user)->count;
}

static inline void mien_exr_ignore(exr_const_context_t context, exr_result_t code, const char *message) {
  (void)context;
  (void)code;
  (void)message;
}

/// Most channels of a file: depth maps have one, pictures four.
enum { mien_exr_most_channels = 8 };

/// Opens an image that lies in `bytes`, which must outlive the file. Its first channel named `R`, `Z` or `Y` is chosen, or the only one.
/// Returns 0, -1 for data that is not such an image, or -2 for one that is not read: tiled, deep, subsampled or larger than `most_side`.
static inline int mien_exr_open(mien_exr_file *file, const uint8_t *bytes, size_t count, int32_t most_side) {
  memset(file, 0, sizeof *file);
  file->source.bytes = bytes;
  file->source.count = count;
  exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
  settings.error_handler_fn = mien_exr_ignore;
  settings.user_data = &file->source;
  settings.read_fn = mien_exr_read;
  settings.size_fn = mien_exr_size;
  settings.max_image_width = settings.max_image_height = most_side;
  settings.max_tile_width = settings.max_tile_height = most_side;
  settings.flags = EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
  if (exr_start_read(&file->context, "memory", &settings) != EXR_ERR_SUCCESS) return -1;
  exr_storage_t storage;
  exr_attr_box2i_t window;
  const exr_attr_chlist_t *channels = NULL;
  if (exr_get_storage(file->context, 0, &storage) != EXR_ERR_SUCCESS ||
      exr_get_data_window(file->context, 0, &window) != EXR_ERR_SUCCESS ||
      exr_get_channels(file->context, 0, &channels) != EXR_ERR_SUCCESS || channels == NULL)
    return -1;
  int64_t width = (int64_t)window.max.x - window.min.x + 1;
  int64_t height = (int64_t)window.max.y - window.min.y + 1;
  if (width < 1 || height < 1) return -1;
  if (storage != EXR_STORAGE_SCANLINE || width > most_side || height > most_side ||
      channels->num_channels < 1 || channels->num_channels > mien_exr_most_channels)
    return -2;
  if (exr_get_scanlines_per_chunk(file->context, 0, &file->rows_per_chunk) != EXR_ERR_SUCCESS ||
      file->rows_per_chunk < 1)
    return -1;
  const exr_attr_chlist_entry_t *chosen = channels->num_channels == 1 ? channels->entries : NULL;
  static const char *const names[] = {"R", "Z", "Y"};
  for (int name = 0; name < 3 && chosen == NULL; name++)
    for (int index = 0; index < channels->num_channels && chosen == NULL; index++)
      if (strcmp(channels->entries[index].name.str, names[name]) == 0) chosen = channels->entries + index;
  if (chosen == NULL || chosen->x_sampling != 1 || chosen->y_sampling != 1 ||
      strlen(chosen->name.str) >= sizeof file->channel)
    return -2;
  strcpy(file->channel, chosen->name.str);
  file->left = window.min.x;
  file->top = window.min.y;
  file->width = (int32_t)width;
  file->height = (int32_t)height;
  return 0;
}

/// Decodes the chosen channel into `samples`, `width * height` floats row by row. Returns 0, or -1 if the data is damaged.
static inline int mien_exr_decode(const mien_exr_file *file, float *samples) {
  exr_decode_pipeline_t pipeline;
  memset(&pipeline, 0, sizeof pipeline);
  int outcome = 0;
  int is_open = 0;
  for (int64_t row = 0; row < file->height && outcome == 0; row += file->rows_per_chunk) {
    exr_chunk_info_t chunk;
    outcome = -1;
    if (exr_read_scanline_chunk_info(file->context, 0, (int)(file->top + row), &chunk) != EXR_ERR_SUCCESS) break;
    exr_result_t begun = is_open ? exr_decoding_update(file->context, 0, &chunk, &pipeline)
                                 : exr_decoding_initialize(file->context, 0, &chunk, &pipeline);
    if (begun != EXR_ERR_SUCCESS) break;
    int is_found = 0;
    for (int index = 0; index < pipeline.channel_count; index++) {
      exr_coding_channel_info_t *channel = pipeline.channels + index;
      channel->decode_to_ptr = NULL;
      if (strcmp(channel->channel_name, file->channel) != 0) continue;
      // What the library decodes must lie within the rows of this chunk.
      if (channel->width != file->width || channel->height < 1 || channel->height > file->rows_per_chunk ||
          channel->height > file->height - row)
        continue;
      channel->decode_to_ptr = (uint8_t *)(samples + row * file->width);
      channel->user_bytes_per_element = 4;
      channel->user_data_type = EXR_PIXEL_FLOAT;
      channel->user_pixel_stride = 4;
      channel->user_line_stride = 4 * file->width;
      is_found = 1;
    }
    if (!is_found) {
      is_open = 1;
      break;
    }
    if (!is_open && exr_decoding_choose_default_routines(file->context, 0, &pipeline) != EXR_ERR_SUCCESS) {
      is_open = 1;
      break;
    }
    is_open = 1;
    if (exr_decoding_run(file->context, 0, &pipeline) != EXR_ERR_SUCCESS) break;
    outcome = 0;
  }
  if (is_open) exr_decoding_destroy(file->context, &pipeline);
  return outcome;
}

/// Frees what ``mien_exr_open`` allocated, also after an error.
static inline void mien_exr_close(mien_exr_file *file) {
  if (file->context != NULL) exr_finish(&file->context);
}
