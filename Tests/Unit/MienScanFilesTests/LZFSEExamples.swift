/// Test data compressed with Apple's reference program, and generators of the expected output.
enum LZFSEExamples {
  /// A repeating sequence of small numbers, then letters: one LZVN block.
  static let repeating = """
    YnZ4blIDAABZAAAA4C0ABw4VHCMqMTgCCRAXHiUsMzoECxIZICcuNTwGDRQbIikwNwEIDxYdJCsyOQMKERgfJi00OwUMExohKC82OD3w//D/8EfI
    A2FiY/B94mJjBgAAAAAAAABidngk
    """
  static let repeatingBytes: [UInt8] =
    (0..<700).map { UInt8($0 * 7 % 61) } + (0..<150).map { UInt8(ascii: "a") + UInt8($0 % 3) }

  /// Steps with slight noise: one block of finite-state coding.
  static let steps = """
    YnZ4MpQRAADIBYBbAOcBUAEEEMAAsgIQyQAAAC8oAAont3vNYVRVVASOri4uG1VU+CXegsxDAAAAAAAAAMjfAEwAAAAAAKBjzNF5O9c86NwHBxd7
    RucYzejsbMfae3TNOefo6kEvZg7SVTv3XMkcy442bWzadmS1a7Rpxxid82TOHqxxMEbazDYzHU1t6+ie82DPZM012pHZucYes2nmXs1cs0kyZlfH
    GtORMRNHmo4456qrGcs97V4dzdTZtVprlss0rpEme60GAAAA6O/3P+zze35+Xc5+q9VsdfW3+lRWF3d3M9+Z7y52Nyu0NLQyUURx6DCoAXVVvtXK
    tVot9SkU+ub0+TCWGQuWRURE4yAS0WCgYeDPz5+PPz+vXl29+vTz58/HwY8PXrv466Wto58zz9z48OC++x7uu7eurq9u2rS0uqqvpZeW7jy6c3Pz
    srOlpeXLjYSQkI0J9/YC9/be25uT+8b2RsYWNuywMDQvrCisqEuXlpAiGTUCMtLBwYmzMuWYlJIPDQ0MDI0HjAcDg4cPBgYB/Pr08dunt2dnLi6O
    XZy4VmpNGgrNmhi0X8SGf31/aWlptLK0r9PT0FdNzVNNTZpCNS8vI0VGaoJs1AixsbBwcLCvb9BOHzs5nPtcdlbGJWViwsRlEhKIEiA9hNRxg8aM
    GzAvK0ikcLi44ICCgwYJDCRoYGBQSBDw4+Xse7PZLP5ml8tlcjhcLoeHh8ne3uRhXFxcWlpaXFdY11XYVVdT01HPy8uUl42LlIiIhoODg4YB+wDn
    4eHNvcm9VVM7W1MTE4uBxZJWmcXhzja07WxsO0Mx7cSYuJhaLU0bNyE3l8pFIiHh8D/g/+fTu6/dbnf5W/6Ws7/Z2eeisq9y8ewsNuaqWgrlvAy9
    vLzEyclZOenIoVAA+rqqlvPlfLFYTBeLxWItVUyl0qI+l8vnU0goFC6fOt2c+RnTLA0LS0PDwcGAgcDBP39+/n/8+fn9eXx1dXX86urnp1effj5e
    HBx8PLi2tri29trBa79uXbp06aWjWz8zH83MnMy8sbFxsnHjmRs/PLhvb923tLe3r6+vr2lfv96mVaWtWlqqWrr00ktVR0U7d+7s3Hy50/ISsqVl
    I2RjY2NjQkJCSELChAkTBh4YuAf43Nwc4N5zc3Nyb3Nzb29vc29s2bJli0ZGhjbssLBkXlhbWLFijdra2oqKiopaWlqKWhrr0tJJSEaTGjUK9OdP
    oD+B7ty5s1NnZ5w649CcSYMzE7NyZeVKzMrMysqUlJSSkSMpIyWPjIx8aGhoaGBoYEhISEhgSNQo8TBhQomEhAkGHwIMAvLz8wfsK9jXF1B/nz29
    fPTy2ZMHTx6eXZ65uTk7c3NzeHFxc/Ht7W3zbdu2t7VZb5NapWmhUGsoNLQUmpgYWpoYMWliw34R+zXsq+uLlhatLplOpnt9vV6yr6+vpzLZ09DX
    UKehmpdCQyNdRoqEjIRsFKlRI0SFiAoLDSIOIvbZ9dnZDdrZ2fXJycnJ6ZMjB8cO7sx9Pp8pl8tu5XL5zMXlcs+4uGVSUmUpKSlXiomLS4rJZDIp
    lUqpEiVKJUJCSkIggQAp6aEDiI4bN27o0JEGDRozYLyAAWPFy8rKSoqUFClIpCAxQjIygoODg4QDBw4cNlzYcEFhg8KBwoGDAwcXHDQkMCgQMBAQ
    EODv7y/0+/f4+z3gfn8vfx8fX19fv1+v42tzs9kcbzabi81f8ff7/Zp/s1nxdzabFS+/y+Uyu1wmk8nkMpnMDi8PL/fi9tLiwtLCwsLSdu26+vR0
    9dR01NTTc9TT09MUExNzFBMTE/OSsrHxsrFxI2XjIiIiYkRDw0XDQcC+fX378gDLi4dXNycnV07u29zb2lu1s7O1M7EzscDEwLqwwLCwwsKq6qpW
    q1UpqVSKVaqUFJNS0aJFi0pM5bA4HA53drtdcbezDdlkYxPjEtNiYrLFZClkErLZlEo2bjalS6VS2Wwqm0oikUhUJCoSh8Qh8U/8//3/fb4/P3+e
    n3ev1/Pr9dq9Lq/L32/5W85mZ2ern8qicrFYfBaLfT6f0ucr9u18Z3e7mKtKpRqrquoquUpVoVApFBqqSpXzsnLy0nHS0aGYVBwOjkMOOXQYRADo
    C/p9usrT6XI5naeLtFwsl4u1VK2WqqVSqZ5az6VwKRQ+n0Khz+fz6XReT81ijM1YLJZGo9HMaGhoLBGLhoaGQ8TBQEMAAAAAAAAAAAAAIKACeyKA
    AMDvGODtBP4deKOAT5lBQMbZ6gUCQCkD6u9HAjZ68UWATgF1koBzgLKcU0hg0cAAZgj4Ow6w5wR+KkDLhsBggJCAKgqAJgTsIAYRIM8OZCsPRUHA
    tQAaAigTAFjek0QgBVAkwH07oMFeNT3UDQRCl1kABCRb0NRVBNoXMIHAWaDHQeCANwJjxNOAqc2Aqy0BSBD6b08CLQAwu9gB8vYNCYAHigT2ADKI
    AE8CrwWEA/w7/YCSUmYC7wN4AdAbcE7gwg/IAV1PoBCQC8AEEgAw1CPQLEAfICbgHOAbeCdguSPggQKzCGQHuAMbny4MeAA4CUAxwEIApzMBZgJn
    CmS3EDBcaxXY5GEWFNkiCVSHATMCePJhNYD8gI15IECTAbNwIsCEARECRG+XBJATIHiAMGBcB0A4+TNAeg8EOLqAsQKBbgJ8dxbYCXAEAYKA/0jA
    8wF/HjwEOAwknkDzbiDJACYBcck2EqAFZAhQDDgETgpcILCN/1OLCej/bZKA4QDbZ6UQkG3Au+IIpAF2HAKn/gXwlxoHXIIF1noD6XPduRAQDwhc
    EqgADrkBvwGgQYDmABtgKwYaYAgAAAcCIWvvAAIiGWDlaoA9gRFzDQE0ZzIRWDkg1RnQKmCAQKnVW1yJGDYsIN/qKgN+18kOBmbMVcbnoBnk00ES
    AXvo3JBxR5swsQdn2gLA24Rf4yhYB+O0Awu5zkaQDu+Xq0FJqN+TIrtro2zT8xg3qKDzS2REzNaKGeorfYczpAD6plZo2xHxe28ti6C0jZrCVnJz
    YueGPozfv5nqeUJ/q01pUbDopkQ6HqwEmUB+oAiQ4AFqAGyHwagss6Nq2gZS2cLy7cdUPVOzPEfT24LeJg5qe19Z9cu5hrAq9n1fmaZ2GanEgjE5
    4YYAYnZ4JA==
    """
  static var stepsBytes: [UInt8] {
    var state = 1
    return (0..<4500).map { index in
      state = (state * 1_103_515_245 + 12345) & 0x7FFF_FFFF
      let generator = state >> 16
      return UInt8((index / 8 + (generator % 5 == 0 ? generator % 3 : 0)) & 255)
    }
  }
}
