package io.bloomgate.blocklists;

import io.bloomgate.blocklists.score.FeedActions;
import io.bloomgate.blocklists.score.FeedPromotion;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of the settings with the actions that {@code feeds promote} moved. Asked on any thread;
 * changed by reloads and commands, one at a time.
 */
final class RulesInForce {

  private static final Logger LOG = LoggerFactory.getLogger(RulesInForce.class);

  private final FeedActions actions;
  private ListRules ofFile;
  private volatile ListRules now;

  RulesInForce(ListRules ofFile, FeedActions actions) {
    this.actions = actions;
    this.ofFile = ofFile;
    this.now = moved(ofFile, actions);
  }

  private static ListRules moved(ListRules file, FeedActions actions) {
    actions.settle(file.settings()).forEach(line -> LOG.warn("{}", line));
    return file.with(actions.inForce(file.settings()));
  }

  FeedActions actions() {
    return actions;
  }

  /** The rules of this moment. */
  ListRules now() {
    return now;
  }

  /** Uses the rules of other settings. */
  synchronized ListRules configure(ListRules fresh) {
    ofFile = fresh;
    now = moved(fresh, actions);
    return now;
  }

  /**
   * Keeps what is said of a feed and uses its action; {@code null} for that of the settings.
   *
   * @throws IOException when it is not on the disk; nothing has changed then
   */
  synchronized ListRules promote(String feed, @Nullable FeedPromotion promotion)
      throws IOException {
    actions.put(feed, promotion);
    now = ofFile.with(actions.inForce(ofFile.settings()));
    return now;
  }
}
