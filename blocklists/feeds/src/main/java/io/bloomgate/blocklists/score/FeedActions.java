package io.bloomgate.blocklists.score;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.database.FeedStates.Part;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.OtherActions;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of feeds: what `feeds promote` moved, and since when each feed acts as it does.
 * Everything is in {@link FeedStates}, so it survives a restart. Used by the door of the lists and,
 * for reading, by the command line; any thread.
 *
 * @param alarm receives sentences for the operator
 */
public record FeedActions(FeedStates states, Consumer<String> alarm) {

  private static final Logger LOG = LoggerFactory.getLogger(FeedActions.class);

  /**
   * The action of a feed, and the time since which it has it.
   *
   * @param action {@code null} while it does not: it has no live version, or is disabled
   */
  public record Acting(@Nullable Action action, Instant since) {}

  /** The order that {@code feeds promote} gave about a feed; empty for none. */
  public Optional<FeedPromotion> promotion(String feed) {
    return row(feed, Part.PROMOTION, FeedPromotion.class);
  }

  /** The action of a feed, as it was last noted; empty when it never was. */
  public Optional<Acting> acting(String feed) {
    return row(feed, Part.ACTION, Acting.class);
  }

  /** A row that cannot be read counts as none: {@link #settle} has raised the alarm. */
  private <R extends Record> Optional<R> row(String feed, Part part, Class<R> type) {
    try {
      return states.get(feed, part, type);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Writes what is said of a feed; {@code null} for nothing.
   *
   * @throws IOException when it is not on the disk; nothing has changed then
   */
  public void put(String feed, @Nullable FeedPromotion promotion) throws IOException {
    states.put(
        feed,
        Part.PROMOTION,
        promotion == null ? JsonValue.object().build() : JsonRecords.of(promotion));
  }

  /** The settings with the actions in force: those of the file, but for what was moved. */
  public Settings inForce(Settings file) {
    Map<String, Action> moved = new LinkedHashMap<>();
    for (String feed : file.feeds().names()) {
      promotion(feed)
          .filter(FeedPromotion::moved)
          .filter(promotion -> promotion.settings() == action(file, feed))
          .filter(promotion -> promotion.source().equals(source(file, feed)))
          .ifPresent(promotion -> moved.put(feed, promotion.to()));
    }
    return OtherActions.of(file, moved);
  }

  /**
   * Drops what does not fit the settings any more: an action that a person wrote counts, and a feed
   * that has gone or comes from another place has no evidence. Call at start and at each reload.
   *
   * @return sentences for the operator
   */
  public List<String> settle(Settings file) {
    List<String> lines = new ArrayList<>();
    for (String feed : states.names(Part.PROMOTION)) {
      try {
        Optional<FeedPromotion> known = states.get(feed, Part.PROMOTION, FeedPromotion.class);
        if (known.isPresent()) {
          settle(feed, known.get(), file).ifPresent(lines::add);
        }
      } catch (IOException e) {
        alarm.accept(
            "what `feeds promote` said of feed "
                + feed
                + " cannot be read or written: "
                + Faults.words(e)
                + "; the action of the settings counts");
      }
    }
    return lines;
  }

  private Optional<String> settle(String feed, FeedPromotion known, Settings file)
      throws IOException {
    Action action = action(file, feed);
    if (action == null) {
      put(feed, null);
      return Optional.of("feed " + feed + " has gone: it is not promoted by evidence any more");
    }
    if (!known.source().equals(source(file, feed))) {
      put(feed, null);
      return Optional.of(
          "feed "
              + feed
              + " comes from another place: it is not promoted by evidence any more, and action "
              + action.key()
              + " of the settings counts; `bloomgate feeds promote "
              + feed
              + " --auto` asks for it again");
    }
    if (known.settings() == action) {
      return Optional.empty();
    }
    put(feed, known.auto() ? known.from(action) : null);
    return known.auto()
        ? Optional.of(
            "feed "
                + feed
                + ": the settings say action "
                + action.key()
                + " now, which counts; evidence moves it from there")
        : Optional.empty();
  }

  /**
   * Notes which feeds act how. Call now and then, on a thread that may block.
   *
   * @param acting the feeds that count now; the others of the settings do not act
   */
  public void note(Settings settings, Map<String, Action> acting, Instant now) {
    for (String feed : settings.feeds().names()) {
      Action action = acting.get(feed);
      Optional<Acting> known = acting(feed);
      if (known.isEmpty() || known.get().action() != action) {
        try {
          states.put(feed, Part.ACTION, new Acting(action, now));
        } catch (IOException e) {
          LOG.warn("since when feed {} acts cannot be written: {}", feed, Faults.words(e));
        }
      }
    }
  }

  /** The action of a feed or DNS list in these settings; {@code null} when there is none. */
  public static @Nullable Action action(Settings settings, String feed) {
    Source source = settings.feeds().sources().get(feed);
    if (source != null) {
      return source.action();
    }
    DnsList list = settings.feeds().dnsLists().get(feed);
    return list == null ? null : list.action();
  }

  /** The source of a feed or DNS list, without secrets; empty when there is none. */
  public static String source(Settings settings, String feed) {
    Source source = settings.feeds().sources().get(feed);
    if (source != null) {
      return source.location().shown();
    }
    DnsList list = settings.feeds().dnsLists().get(feed);
    return list == null ? "" : "dns:" + list.zone();
  }
}
