package io.bloomgate.cli;

/** Colours of answers (ECMA-48 SGR), or none. Pure. */
record Palette(boolean on) {

  private static final String END = "\u001b[0m";

  /** Something is wrong or refused. */
  String bad(String text) {
    return paint("31", text);
  }

  /** Something wants a look. */
  String warn(String text) {
    return paint("33", text);
  }

  /** Something is well. */
  String good(String text) {
    return paint("32", text);
  }

  /** A heading. */
  String bold(String text) {
    return paint("1", text);
  }

  private String paint(String code, String text) {
    return on ? "\u001b[" + code + "m" + text + END : text;
  }
}
