package io.bloomgate.cli.manual;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** One page in mdoc(7), line by line: macros as they are given, texts escaped. Not thread-safe. */
final class Mdoc {

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("MMMM d, uuuu", Locale.ENGLISH);

  /** Sentences are on separate lines, as mdoc wants them. */
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?][)\"]?) +(?=[A-Z`\"(])");

  private static final Pattern QUOTED = Pattern.compile("`([^`]*)`");

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

  /** A text; a part between backquotes is printed bold. */
  Mdoc text(String text) {
    for (String sentence : SENTENCE_END.split(text.strip(), -1)) {
      line(QUOTED.matcher(escaped(sentence)).replaceAll("\\\\fB$1\\\\fR"));
    }
    return this;
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
    lines.forEach(line -> line(escaped(line)));
    return macro("Ed");
  }

  /** The text with what must stay as it is when it is copied. */
  private static String escaped(String text) {
    return text.replace("\\", "\\e")
        .replace("~", "\\(ti")
        .replace("^", "\\(ha")
        .replace("-", "\\-")
        .replace("'", "\\(aq");
  }

  /** Words as the arguments of a macro: none of them is a macro or a delimiter. */
  static String argument(String text) {
    String safe = escaped(text).replace("\"", "\\(dq");
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
