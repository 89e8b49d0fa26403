package io.bloomgate.config.name;

import com.google.thirdparty.publicsuffix.PublicSuffixPatterns;
import java.util.Arrays;

/**
 * Names below which strangers register their own: {@code co.uk}, {@code github.io}. The only door
 * to the Public Suffix List, which is the one inside Guava's jar, registry and private section
 * both. Used by the feed guard, by readers of mails and by {@code allow add}; any thread, pure.
 */
public final class PublicSuffixes {

  private PublicSuffixes() {}

  /** True when the name itself is a public suffix; names below one are not. */
  public static boolean contains(DomainName name) {
    // Guava's own class for names takes twice the time, and feeds ask for each of their names.
    return PublicSuffixPatterns.TRIE.findSuffixIndex(Arrays.asList(name.toString().split("\\.")))
        == 0;
  }
}
