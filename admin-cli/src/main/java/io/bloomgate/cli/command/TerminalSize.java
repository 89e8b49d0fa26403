package io.bloomgate.cli.command;

import java.util.Map;

/**
 * The columns and rows of the terminal, as the shell reports them ({@code COLUMNS}, {@code LINES});
 * otherwise a size that most terminals have. Pure.
 */
public record TerminalSize(int columns, int rows) {

  private static final int COLUMNS = 100;
  private static final int ROWS = 24;
  private static final int FEWEST = 10;

  public static TerminalSize of(Map<String, String> environment) {
    return new TerminalSize(
        number(environment.getOrDefault("COLUMNS", ""), COLUMNS),
        number(environment.getOrDefault("LINES", ""), ROWS));
  }

  private static int number(String text, int fallback) {
    return text.matches("[1-9][0-9]{0,3}") ? Math.max(FEWEST, Integer.parseInt(text)) : fallback;
  }

  /** False for terminals that print control sequences as they are. */
  static boolean canRewrite(Map<String, String> environment) {
    String kind = environment.getOrDefault("TERM", "");
    return !kind.isEmpty() && !kind.equals("dumb");
  }
}
