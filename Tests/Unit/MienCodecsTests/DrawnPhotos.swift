import Foundation
import MienImaging

/// Images of 96 × 64 pixels, created for the tests with heif-enc, avifenc, cwebp and libjpeg, of kinds that this project
/// does not write. Red is twice the column, green three times the row, blue 90.
enum DrawnPhotos {
  /// HEVC, 4:2:0, 8 bits, with full range.
  static let heic = bytes(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRt"
      + "AAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAABpgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAwmlw"
      + "cnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AA"
      + "AAMAkAAAAwAAAwAeoDCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAA"
      + "AwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAGubWRhdAAAAaIoAa8E+OPb/NMlIwOvPSJkxGvVvgqfAi3ceKJ23Nx1s7YVEARp/wT1PwPe"
      + "P1T+Kt+nezdwbNzqnEXaVLX0BwNnDBDroS5300vC3bk/U2Q2QiKqVl/KLhdWUHU6456KxQ2YNuuw1kfK/RUnPXfhcZPT4TPvhFbO7wMc+8eb"
      + "sGg1BLqKQfz6uwIHj3dgF+XqnMulEp1BDQRAnIJiIWbUqOsZ+SUkTVrqhOJHpCuX9M3hcYpLBoZw9BTvqOqZUh+4wq1d9yqB8DGNzQhSpdDX"
      + "nfvuZqfj/D/s/8u/5oho5aH9nDtOgGnX91oYs1nMV4DH2+SS5UPm/8VayLY3l4/FGU53CQMTrGkir0NBXKCPnLtoP/hFJ2wMMZum7LYRGFdk"
      + "fm/1jc+OMtzPjE8ym8o9j6eTi4sy72qXeC/JpQrkTck76i2XVq7PFgHj+czjeQSKT1QQTQUExjBFsvVv385vX1u2G0j0JxOZjTIXObAqvdxA"
      + "1LqgG0hp1BvhdL8X4cGFEJtqG1d/NtzG2c1u/4FUJzdpKlVs1Q7WwdT7bzVDFh4INvPA")
  /// Gray levels of twice the column, HEVC.
  static let heicDepth = bytes(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAATptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRt"
      + "AAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFeAAEAAAAAAAAAdQAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAumlw"
      + "cnAAAACcaXBjbwAAAHJodmNDAQQIAAAAAAAAAAAAHvAA/Pz4+AAADwMgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAIQABACZCAQEECAAA"
      + "AwCf+AAAAwAAHsDCBBZbqSSmubAgAAADACAAAAMAISIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAGAAAABAAAAADnBpeGkAAAAAAQgAAAAW"
      + "aXBtYQAAAAAAAAABAAEDgQKDAAAAfW1kYXQAAABxKAGuCfBmoth3e/0H542sMJCuq3se598ZzfYBLzOQxe31ApmgR4k/E9j539d7hD30Cxpm"
      + "UVbX80YxHuLPFPu4A1Ctr8Fidk4dNx02I3fldaO/V2MNLpRZDsyOHJ/9N/+cqPuSYg99xLeGfja3+F99yB8=")
  /// AV1, 4:2:0, 8 bits.
  static let avif = bytes(
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2"
      + "aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAHkAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAx"
      + "Q29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNs"
      + "eAABAA0ABoAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAAIFtZGF0EgAKCRgZb/7BAQ0GhDJqEeABhhhiAL9j26HHeETLr9wZGvN2AVYUMgAW"
      + "OaCv//aSGuuYhs1Nk8hIirDRq/rYN7mRFaA0eEAFz49m0QUbW+2JemkGT1Gz/sshGUFo/8yG2VpVzNZnHRCe5uWrIiXmv4LBmBRL4JJs4A==")
  /// AV1, 10 bits, stored so that a quarter turn to the left makes it upright.
  static let avifTurned = bytes(
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD8bWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2"
      + "aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABJAAAAHoAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAx"
      + "Q29sb3IAAAAAdGlwcnAAAABUaXBjbwAAABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwoKCgAAAAxhdjFDgQBMAAAAABNjb2xybmNs"
      + "eAABAA0ABoAAAAAJaXJvdAEAAAAYaXBtYQAAAAAAAAABAAEFAQKDBIUAAACCbWRhdBIACgkYGW/+xQENBoQyaxHgAoooogC/5YijM5IvO4Uz"
      + "8Zs/v0Fd3j5y4DpisOJ0CfpxzuROvn3xgyeiZRkE7Viu9MTc8Sstd6DdVbNvsnKluSQ+8aC2jAbIJbokKePhXrYj+tNKeov0w06WkgpAl4ci"
      + "uA5H0F2Xwomg")
  /// Lossy.
  static let webp = bytes(
    "UklGRigBAABXRUJQVlA4IBwBAADwBwCdASpgAEAAPjEYi0QiIaEQtIQgAwSgMkA8wEaQW2oL4TkVoILf+AU4+XhT0tV25uf////4XOsSx///"
      + "//tFaz9f////6AAA/v+ghXV5ILm16X/+q8v+I8HNA4yd8qYRuGlvQ3O+PyIh9oU+8s568Jz3bqWJ9aGVyRPxpAe720EOHJgLS3aVcfbs9dUb"
      + "6MwLVgo4ajw0sPhMmXI4Wa5Wlk0Lcs/vFxn/29b/+wugeO78FUOhS1x1bkKkG6p2lVDkzmH0x2lePWarWmOmanhFBHEo4+5qHu3yQaOYkpBA"
      + "M2TbM5znpF6WoYgsMh9w8i7Z3w3joqkjhlqcZkPxLzBZ8uatk2zOwt0DdnODFy7Gi8OAlrdU6sk4oQAAAA==")
  /// Lossless.
  static let webpLossless = bytes(
    "UklGRj4AAABXRUJQVlA4TDIAAAAvX8APAAmAIAb8VwuI6H/qFwBB+G8XENH/1ENN2wZMB3/meauOwGjFBEhFXwT9/TegAA==")
  /// Inks, 255 = none, as Adobe's programs write them.
  static let cmykOfAdobe = bytes(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwL"
      + "CgwJCgoK/8AAFAgAQABgBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAAB"
      + "fQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp"
      + "anN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5"
      + "+v/aAA4EQwBNAFkASwAAPwD8G/DX8NfhT/whH/TH9K+Z6/fyvQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw"
      + "1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0"
      + "oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor+T/AMNfw17B/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0"
      + "f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/Sii"
      + "vQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor+T/AMNfw17B/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/w"
      + "hH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw"
      + "1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor+T/AMNfw17B/wAIR/0x/SiivQPDX8NH/CEf"
      + "9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0"
      + "f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor+T/AMNfw17B/wAIR/0x"
      + "/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/w"
      + "hH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor+T/"
      + "AMNfw17B/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf"
      + "9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0"
      + "f8IR/wBMf0oor+T/AMNfw17B/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x"
      + "/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/w"
      + "hH/TH9KKK9A8Nfw0f8IR/wBMf0oor+T/AMNfw17B/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oo"
      + "r0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor0Dw1/DR/wAIR/0x/SiivQPDX8NH/CEf"
      + "9Mf0oor0Dw1/DR/whH/TH9KKK9A8Nfw0f8IR/wBMf0oor//Z")
  /// Inks, 0 = none.
  static let cmyk = bytes(
    "/9j/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/wAAUCABAAGAE"
      + "QxEATREAWREASxEA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1Fh"
      + "ByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJ"
      + "ipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oADgRDAE0AWQBLAAA/"
      + "AP3g8S/xV+6X/Cb/APTb9a+lK/n/AK8/8S/xUf8ACb/9Nv1oorz/AMS/xUf8Jv8A9Nv1oorz/wAS/wAVH/Cb/wDTb9aKK8/8S/xUf8Jv/wBN"
      + "v1oorz/xL/FR/wAJv/02/WiivP8AxL/FR/wm/wD02/WiivP/ABL/ABUf8Jv/ANNv1oorz/xL/FR/wm//AE2/WiivP/Ev8VH/AAm//Tb9aKK8"
      + "/wDEv8VH/Cb/APTb9aKK8/8AEv8AFR/wm/8A02/Wiiv6wPEv8VeP/wDCb/8ATb9aKK8/8S/xUf8ACb/9Nv1oorz/AMS/xUf8Jv8A9Nv1oorz"
      + "/wAS/wAVH/Cb/wDTb9aKK8/8S/xUf8Jv/wBNv1oorz/xL/FR/wAJv/02/WiivP8AxL/FR/wm/wD02/WiivP/ABL/ABUf8Jv/ANNv1oorz/xL"
      + "/FR/wm//AE2/WiivP/Ev8VH/AAm//Tb9aKK8/wDEv8VH/Cb/APTb9aKK8/8AEv8AFR/wm/8A02/Wiiv6wPEv8VeP/wDCb/8ATb9aKK8/8S/x"
      + "Uf8ACb/9Nv1oorz/AMS/xUf8Jv8A9Nv1oorz/wAS/wAVH/Cb/wDTb9aKK8/8S/xUf8Jv/wBNv1oorz/xL/FR/wAJv/02/WiivP8AxL/FR/wm"
      + "/wD02/WiivP/ABL/ABUf8Jv/ANNv1oorz/xL/FR/wm//AE2/WiivP/Ev8VH/AAm//Tb9aKK8/wDEv8VH/Cb/APTb9aKK8/8AEv8AFR/wm/8A"
      + "02/Wiiv6wPEv8VeP/wDCb/8ATb9aKK8/8S/xUf8ACb/9Nv1oorz/AMS/xUf8Jv8A9Nv1oorz/wAS/wAVH/Cb/wDTb9aKK8/8S/xUf8Jv/wBN"
      + "v1oorz/xL/FR/wAJv/02/WiivP8AxL/FR/wm/wD02/WiivP/ABL/ABUf8Jv/ANNv1oorz/xL/FR/wm//AE2/WiivP/Ev8VH/AAm//Tb9aKK8"
      + "/wDEv8VH/Cb/APTb9aKK8/8AEv8AFR/wm/8A02/Wiiv6wPEv8VeP/wDCb/8ATb9aKK8/8S/xUf8ACb/9Nv1oorz/AMS/xUf8Jv8A9Nv1oorz"
      + "/wAS/wAVH/Cb/wDTb9aKK8/8S/xUf8Jv/wBNv1oorz/xL/FR/wAJv/02/WiivP8AxL/FR/wm/wD02/WiivP/ABL/ABUf8Jv/ANNv1oorz/xL"
      + "/FR/wm//AE2/WiivP/Ev8VH/AAm//Tb9aKK8/wDEv8VH/Cb/APTb9aKK8/8AEv8AFR/wm/8A02/Wiiv6wPEv8VeP/wDCb/8ATb9aKK8/8S/x"
      + "Uf8ACb/9Nv1oorz/AMS/xUf8Jv8A9Nv1oorz/wAS/wAVH/Cb/wDTb9aKK8/8S/xUf8Jv/wBNv1oorz/xL/FR/wAJv/02/WiivP8AxL/FR/wm"
      + "/wD02/WiivP/ABL/ABUf8Jv/ANNv1oorz/xL/FR/wm//AE2/WiivP/Ev8VH/AAm//Tb9aKK8/wDEv8VH/Cb/APTb9aKK8/8AEv8AFR/wm/8A"
      + "02/Wiiv6wPEv8VeP/wDCb/8ATb9aKK8/8S/xUf8ACb/9Nv1oorz/AMS/xUf8Jv8A9Nv1oorz/wAS/wAVH/Cb/wDTb9aKK8/8S/xUf8Jv/wBN"
      + "v1oorz/xL/FR/wAJv/02/WiivP8AxL/FR/wm/wD02/WiivP/ABL/ABUf8Jv/ANNv1oorz/xL/FR/wm//AE2/WiivP/Ev8VH/AAm//Tb9aKK8"
      + "/wDEv8VH/Cb/APTb9aKK8/8AEv8AFR/wm/8A02/Wiiv6wPEv8VeP/wDCb/8ATb9aKK8/8S/xUf8ACb/9Nv1oorz/AMS/xUf8Jv8A9Nv1oorz"
      + "/wAS/wAVH/Cb/wDTb9aKK8/8S/xUf8Jv/wBNv1oorz/xL/FR/wAJv/02/WiivP8AxL/FR/wm/wD02/WiivP/ABL/ABUf8Jv/ANNv1oorz/xL"
      + "/FR/wm//AE2/WiivP/Ev8VH/AAm//Tb9aKK8/wDEv8VH/Cb/APTb9aKK8/8AEv8AFR/wm/8A02/Wiiv/2Q==")
  /// Inks as luma, color differences and black.
  static let ycck = bytes(
    "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwL"
      + "CgwJCgoK/9sAQwECAgICAgIFAwMFCgcGBwoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK/8AAFAgA"
      + "QABgBAERAAIRAQMRAQQRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFB"
      + "BhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SF"
      + "hoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEB"
      + "AQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1LwFWJy0QoW"
      + "JDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKz"
      + "tLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAA4EAQACEQMRBAAAPwD9srvxB/00r+XYYY+hxOD8j9/KzLvx"
      + "B1/eV1wwx8/icH5BWZd+IOv7z9a64YY+fxOD8grMu/EHX5/1rqhhj5/E4PyCsu78Qdf3ldcMMfP4nB+QVmXfiDr8/wCtdcMMfP4nB+QVmXfi"
      + "Dr89dkMMfP4nB+QVmXfiDr8/611Qwx8/icH5BWZd+IOvz11wwx8/icH5BWZd+IOvz/rXXDDHz+JwfkFZl34g6/vK6oYY+fxOD8grMu/EHX5/"
      + "1rrhhj5/E4PyCvpq78Qdfnr8ohhj/YjE4PyCsy78Qdfnrrhhj5/E4PyCsu78Qdfn/WuuGGPn8Tg/IKzLvxB1+f8AWuqGGPn8Tg/IKzLvxB1/"
      + "efrXXDDHz+JwfkFZl34g/wCmn611wwx8/icH5BWZd+IOv7yuuGGPn8Tg/IKzLvxB1/efrXXDDHz+JwfkFZd34g6/vP1rrhhj5/E4PyCsy78Q"
      + "df3ldcMMfP4nB+QVmXfiDr+8/WuqGGPn8Tg/IKzLvxB1+euuGGPn8Tg/IK+mrvxB1/eV+UQwx/sRicH5BWZd+IP+mn611wwx8/icH5BWZd+I"
      + "Ov7z9a64YY+fxOD8grMu/EHX5/1rqhhj5/E4PyCsy78Qdfn/AFrrhhj5/E4PyCsy78Qdfnrrhhj5/E4PyCsy78Qdfnrqhhj5/E4PyCsu78Qd"
      + "fn/WuuGGPn8Tg/IKzLvxB1+f9a64YY+fxOD8grMu/EHX95+tdkMMfP4nB+QVmXfiDr+8/WuuGGPn8Tg/IKzLvxB1/eV1wwx8/icH5BX01d+I"
      + "Ovz1+Twwx/sRicH5BWZd+IOvz/rXXDDHz+JwfkFZl34g6/vK64YY+fxOD8grMu/EHX5/1rqhhj5/E4PyCsu78Qdf3n611wwx8/icH5BWZd+I"
      + "Ov7yuuGGPn8Tg/IKzLvxB/00rqhhj5/E4PyCsy78Qdf3n612Qwx8/icH5BWZd+IOv7z9a6oYY+fxOD8grMu/EHX5/wBa64YY+fxOD8grMu/E"
      + "HX5664YY+fxOD8grLu/EHX567IYY+fxOD8gr6bu/EHX5/wBa/JoYY/2JxOECsu78Qdf3ldkMMfP4nCBWZd+IOvz/AK11wwx8/icIFZl34g6/"
      + "PXVDDHz+JwgVmXfiDr89dkMMfP4nCBWZd+IOvz11Qwx8/icIFZl34g6/P+tdcMMfP4nCBWZd+IOv7yuuGGPn8ThArMu/EHX5/wBa6oYY+fxO"
      + "ECsu78Qdf3n611wwx8/icIFZl34g6/vK64YY+fxOECsy78Qf9NK6oYY+fxOECvpq78Qdfn/WvyiGGP8AYjE4QKzLvxB1/efrXXDDHz+JwgVm"
      + "XfiD/pp+tdcMMfP4nCBWZd+IOv7yuuGGPn8ThArMu/EHX95+tdkMMfP4nCBWXd+IOv7z9a6oYY+fxOECsy78Qdf3ldcMMfP4nCBWZd+IOv7z"
      + "9a64YY+fxOECsy78Qdfnrqhhj5/E4QKzLvxB1+f9a64YY+fxOECsy78Qdfnrrhhj5/E4QKzLvxB1+f8AWuqGGPn8ThAr6au/EHX5/wBa/KYY"
      + "Y/2IxOECsy78Qdfn/WuqGGPn8ThArMu/EHX5664YY+fxOECsu78Qdfnrrhhj5/E4QKzLvxB1+f8AWuuGGPn8ThArMu/EHX5/1rrhhj5/E4QK"
      + "zLvxB1/efrXXDDHz+JwgVmXfiDr+8/WuuGGPn8ThArMu/EHX95XVDDHz+JwgVmXfiDr+8/WuuGGPn8ThArLu/EHX95+tdcMMfP4nCBWZd+IO"
      + "v7yuqGGPn8ThAr6bu/EHX5/1r8phhj/YjE4QKy7vxB1/efrXVDDHz+JwgVmXfiDr+8rrhhj5/E4QKzLvxB/00rrhhj5/E4QKzLvxB1/efrXV"
      + "DDHz+JwgVmXfiDr+8/WuuGGPn8ThArMu/EHX5/1rrhhj5/E4QKy7vxB1+euyGGPn8ThArMu/EHX566oYY+fxOECsy78Qdfn/AFrrhhj5/E4Q"
      + "KzLvxB1+f9a64YY+fxOECsy78Qdfn/WuqGGPn8ThAr//2Q==")
  /// Red, green and blue, not as luma and color differences.
  static let rgb = bytes(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwL"
      + "CgwJCgoK/8AAEQgAQABgA1IRAEcRAEIRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQEC"
      + "AwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0"
      + "dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/a"
      + "AAwDUgBHAEIAAD8A/Bvw1/DX4U/8IR/0x/SvmevQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8A"
      + "TH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/C"
      + "Ef8ATH9KK9A8Nfw0f8IR/wBMf0or+T/w1/DXsH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8"
      + "Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9K"
      + "K9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/Siv5P/DX8Newf8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR"
      + "/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0"
      + "f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK/k/8Nfw17B/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or"
      + "0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBM"
      + "f0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or+T/w1/DXsH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/"
      + "whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1"
      + "/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/Siv5P/DX8Newf8IR/wBMf0or0Dw1/DR/whH/AEx/"
      + "SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/"
      + "AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK/k/8Nfw17B/whH/AEx/SivQPDX8"
      + "NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQ"
      + "PDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or+T/w1/DXsH/CEf8A"
      + "TH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/C"
      + "Ef8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/SivQPDX8NH/CEf8ATH9KK9A8Nfw0f8IR/wBMf0or0Dw1/DR/whH/AEx/Siv/2Q==")

  static let width = 96
  static let height = 64

  /// The pixels that all but the depth map show.
  static let frame = {
    var frame = Frame(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { frame[x, y] = Pixel(red: UInt8(2 * x), green: UInt8(3 * y), blue: 90) }
    }
    return frame
  }()

  /// Returns the mean difference of the samples of two images of one size; `nil` for other sizes.
  static func difference(_ left: Frame, _ right: Frame) -> Double? {
    guard left.width == right.width, left.height == right.height else { return nil }
    var sum = 0
    for (one, other) in zip(left.pixels, right.pixels) {
      sum += abs(Int(one.red) - Int(other.red)) + abs(Int(one.green) - Int(other.green))
      sum += abs(Int(one.blue) - Int(other.blue))
    }
    return Double(sum) / Double(3 * left.pixels.count)
  }

  private static func bytes(_ text: String) -> [UInt8] { [UInt8](Data(base64Encoded: text) ?? Data()) }
}
