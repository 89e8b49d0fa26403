package io.bloomgate.cli.manual;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One page in mdoc(7), line by line: macros as they are given, texts escaped and with each sentence
 * on a separate line, as mdoc wants them. Not thread-safe.
 */
final class Mdoc {

  /** Longest line of text in the source of a page; mandoc names longer ones. */
  private static final int WIDTH = 78;

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("MMMM d, uuuu", Locale.ENGLISH);

  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?][)\"]?) +(?=[A-Z`\"(])");
  private static final Pattern QUOTED = Pattern.compile("`([^`]*)`");
  private static final Pattern DASH = Pattern.compile("(?<=^|[\\s(\"'=-])-");

  private final StringBuilder out = new StringBuilder();

  /**
   * A page with its title.
   *
   * @param description one phrase
   */
  Mdoc(String name, int section, String description, LocalDate date, String version) {
    out.append(".Dd ").append(DATE.format(date)).append('\n');
    out.append(".Dt ").append(name.toUpperCase(Locale.ROOT)).append(' ').append(section);
    out.append("\n.Os Bloomgate ").append(version).append("\n.Sh NAME\n.Nm ").append(name);
    out.append("\n.Nd ").append(phrase(description)).append('\n');
  }

  /** A sentence as the phrase behind the name of a page. */
  private static String phrase(String sentence) {
    String text = sentence.replaceAll("[.]$", "");
    boolean word = text.length() > 1 && Character.isLowerCase(text.charAt(1));
    return word ? text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1) : text;
  }

  /** Macros as they are. */
  Mdoc macro(String line) {
    out.append('.').append(line).append('\n');
    return this;
  }

  Mdoc section(String name) {
    return macro("Sh " + name);
  }

  Mdoc subsection(String name) {
    return macro("Ss " + name);
  }

  /** A list whose items begin with a term. */
  Mdoc list() {
    return macro("Bl -tag -width Ds");
  }

  Mdoc end() {
    return macro("El");
  }

  /** A text of one or more sentences; a part between backquotes is printed bold. */
  Mdoc text(String text) {
    for (String sentence : SENTENCE_END.split(text.strip(), -1)) {
      if (!sentence.isEmpty()) {
        wrapped(inline(sentence));
      }
    }
    return this;
  }

  private void wrapped(String sentence) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : sentence.split(" +", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    lines.forEach(this::line);
  }

  private void line(String text) {
    boolean control = text.startsWith(".") || text.startsWith("'");
    out.append(control ? "\\&" : "").append(text).append('\n');
  }

  /** Lines that are printed as they are. */
  Mdoc literal(List<String> lines) {
    return asTheyAre("Bd -literal -offset indent", lines);
  }

  /** Lines of the help, which are as wide as a page is. */
  Mdoc help(List<String> lines) {
    return asTheyAre("Bd -literal", lines);
  }

  private Mdoc asTheyAre(String begin, List<String> lines) {
    macro(begin);
    lines.forEach(l -> line(escaped(l).replace("-", "\\-").replace("'", "\\(aq")));
    return macro("Ed");
  }

  private static String inline(String text) {
    StringBuilder all = new StringBuilder();
    Matcher quoted = QUOTED.matcher(text);
    int from = 0;
    while (quoted.find()) {
      all.append(dashed(escaped(text.substring(from, quoted.start()))));
      all.append("\\fB").append(bold(quoted.group(1))).append("\\fR");
      from = quoted.end();
    }
    return all.append(dashed(escaped(text.substring(from)))).toString();
  }

  private static String bold(String text) {
    return escaped(text).replace("-", "\\-").replace("'", "\\(aq");
  }

  /** The dashes before an option, which must stay what they are when they are copied. */
  private static String dashed(String text) {
    return DASH.matcher(text).replaceAll("\\\\-");
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("~", "\\(ti").replace("^", "\\(ha");
  }

  /** Words as the arguments of a macro: none of them is a macro or a delimiter. */
  static String argument(String text) {
    String safe = bold(text).replace("\"", "\\(dq");
    boolean delimiter = safe.length() == 1 && !Character.isLetterOrDigit(safe.charAt(0));
    boolean macro = safe.length() <= 2 || delimiter;
    String whole = (macro ? "\\&" : "") + safe;
    return whole.indexOf(' ') < 0 ? whole : '"' + whole + '"';
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
