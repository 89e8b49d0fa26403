package io.bloomgate.blocklists.url;

import java.util.Locale;
import java.util.Set;

/**
 * Finds bare words with a dot that are names of files, or two sentences without a space between
 * them, although they end in a top-level name: {@code sendmail.mc}, {@code README.md}, {@code
 * home.Then}. Asked by {@link HostNames} only for what has no scheme; pure, any thread.
 */
final class FileNames {

  /**
   * Extensions that are top-level names. A name of two labels is taken for a file; with more labels
   * only by an extension of {@link #ALWAYS}. Extensions that are seldom seen in mails are left out
   * where the top-level name is popular ({@code .in}, {@code .io}, {@code .ai}, {@code .ml}).
   */
  private static final Set<String> EXTENSIONS =
      Set.of("mc", "cf", "cc", "ps", "pm", "st", "la", "bz", "dot", "mm", "cat");

  private static final Set<String> ALWAYS =
      Set.of("md", "py", "sh", "pl", "rs", "so", "zip", "mov", "java", "properties");

  /** Whole names of files whose extension is a popular top-level name. */
  private static final Set<String> NAMES =
      Set.of(
          ("makefile.in makefile.am configure.in configure.ac config.in command.com "
                  + "autoexec.bat read.me")
              .split(" "));

  private FileNames() {}

  /**
   * True for a word that a rule knows to be no host.
   *
   * @param lastLabel where the last label begins
   * @param to behind the last label
   */
  static boolean isFileLike(String text, int from, int lastLabel, int to) {
    if (isSentenceEnd(text, from, lastLabel, to)) {
      return true;
    }
    String extension = lower(text, lastLabel, to);
    if (ALWAYS.contains(extension)) {
      return true;
    }
    for (int i = from; i < lastLabel - 1; i++) {
      if (text.charAt(i) == '.') {
        return false;
      }
    }
    return EXTENSIONS.contains(extension) || NAMES.contains(lower(text, from, to));
  }

  private static String lower(String text, int from, int to) {
    return text.substring(from, to).toLowerCase(Locale.ROOT);
  }

  /** True for {@code home.It}: a capital begins the last label alone. */
  private static boolean isSentenceEnd(String text, int from, int lastLabel, int to) {
    return Character.isUpperCase(text.charAt(lastLabel))
        && to - lastLabel >= 2
        && Character.isLowerCase(text.charAt(lastLabel + 1))
        && Character.isLowerCase(text.charAt(from));
  }
}
