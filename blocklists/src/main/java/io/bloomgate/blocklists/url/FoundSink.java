package io.bloomgate.blocklists.url;

import io.bloomgate.config.name.WebUrl;
import java.util.function.Consumer;

/**
 * Hands on what was found, and behind the URL of a redirector those that it leads to. Used by
 * {@link UrlScanner}; of one thread.
 */
final class FoundSink implements Found {

  /** How much more a redirector's URL costs, whose query is taken apart. */
  private static final int COST = 3;

  private final UrlsLeft left;
  private final Consumer<FoundUrl> sink;

  FoundSink(UrlsLeft left, Consumer<FoundUrl> sink) {
    this.left = left;
    this.sink = sink;
  }

  @Override
  public void accept(char[] text, int from, int to, WebUrl url, Form form) {
    sink.accept(new FoundUrl(url, form));
    if (form == Form.SCHEMELESS) {
      left.bare();
    }
    if (left.isRedirector(url.host()) && left.mayRead()) {
      left.read(COST * (to - from + (long) UrlsLeft.EACH));
      for (Redirectors.Target target :
          Redirectors.targets(url, new String(text, from, to - from), left)) {
        left.read(COST * UrlsLeft.EACH);
        sink.accept(new FoundUrl(target.url(), target.followed() ? form : nested(form)));
      }
    }
  }

  /** What a page only has in its query is no more than evidence. */
  private static Form nested(Form form) {
    return form == Form.WHOLE ? Form.NESTED : form;
  }
}
