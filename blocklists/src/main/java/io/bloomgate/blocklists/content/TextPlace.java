package io.bloomgate.blocklists.content;

import io.bloomgate.config.name.WebUrl;
import org.jspecify.annotations.Nullable;

/**
 * What the place of a text in its mail means for the URLs in it. Made by {@link LeafReader}.
 *
 * @param file an attachment, which a browser opens that runs its scripts
 * @param nested all of it is no more than evidence
 * @param reply the mail answers another one: what it quotes of that is no more than evidence
 * @param location what links are relative to, unless the text says otherwise
 */
record TextPlace(boolean file, boolean nested, boolean reply, @Nullable WebUrl location) {

  private static final TextPlace OPEN = new TextPlace(false, false, false, null);
  private static final TextPlace NESTED = new TextPlace(false, true, false, null);

  /** Of a header field, and before the first text. */
  static TextPlace of(boolean nested) {
    return nested ? NESTED : OPEN;
  }
}
