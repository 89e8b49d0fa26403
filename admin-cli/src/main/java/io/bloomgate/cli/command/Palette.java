package io.bloomgate.cli.command;

/** Colours of answers (ECMA-48 SGR), or none. Pure. */
public record Palette(boolean on) {

  private static final String END = "\u001b[0m";

  /** Something is wrong or refused. */
  public String bad(String text) {
    return paint("31", text);
  }

  /** Something needs attention. */
  public String warn(String text) {
    return paint("33", text);
  }

  /** Something is good. */
  public String good(String text) {
    return paint("32", text);
  }

  /** A heading. */
  public String bold(String text) {
    return paint("1", text);
  }

  private String paint(String code, String text) {
    return on ? "\u001b[" + code + "m" + text + END : text;
  }
}
