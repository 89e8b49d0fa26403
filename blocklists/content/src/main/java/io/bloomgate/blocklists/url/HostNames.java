package io.bloomgate.blocklists.url;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.PublicSuffixes;

/** Decides if a word of a text is meant as a host. Asked by readers of mails; pure, any thread. */
final class HostNames {

  private static final String WWW = "www.";

  private HostNames() {}

  /**
   * True for a name below a top-level name, which is no suffix alone and no name of a file.
   *
   * @param all false for names with {@code www.} only
   */
  static boolean isHost(String text, int from, int to, boolean all) {
    int dot = text.lastIndexOf('.', to - 1);
    boolean www = text.regionMatches(true, from, WWW, 0, WWW.length());
    if (dot <= from
        || dot + 2 >= to
        || !(all || www)
        || !TopLevelNames.contains(text, dot + 1, to)) {
      return false;
    }
    if (!www && FileNames.isFileLike(text, from, dot + 1, to)) {
      return false;
    }
    return DomainName.asked(text.substring(from, to))
        .filter(name -> !PublicSuffixes.contains(name))
        .isPresent();
  }

  /** True for a character of a name. */
  static boolean isPart(char c) {
    return (c >= '0' && c <= '9')
        || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
        || c == '-'
        || c == '.'
        || c == '_'
        || (c >= 0x80 && Character.isLetterOrDigit(c));
  }
}
