package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest.ConfigReload;
import io.bloomgate.config.control.ControlRequest.FeedsAdd;
import io.bloomgate.config.control.ControlRequest.FeedsRefresh;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.Catalogue;
import io.bloomgate.config.settings.CatalogueEntry;
import io.bloomgate.config.settings.SourcesText;
import java.io.IOException;
import java.util.List;

/**
 * Adds lists of the catalogue to the settings file for the page: the same change of the file, the
 * same reload and the same fetch as {@code bloomgate feeds add}. Called on the threads of HTTP
 * requests.
 */
final class AddedFeeds {

  private final GatewayControl gateway;
  private final RunHandlers run;
  private final FeedHandlers feeds;

  AddedFeeds(GatewayControl gateway, RunHandlers run, FeedHandlers feeds) {
    this.gateway = gateway;
    this.run = run;
    this.feeds = feeds;
  }

  /** Answers when the list is live or refused. */
  End add(FeedsAdd asked, ReplySender answer)
      throws UsageException, IOException, InterruptedException {
    String name = asked.name();
    CatalogueEntry entry =
        Catalogue.builtIn()
            .entry(name)
            .orElseThrow(() ->
                new UsageException(
                    "there is no list of this name in the catalogue",
                    "`bloomgate feeds catalogue` shows their names"));
    String command = "on the machine of the gateway: `bloomgate feeds add " + name + "`";
    if (!entry.key().isEmpty()) {
      return new Failed(ReplySender.NO, "it needs a key: " + entry.key(), command);
    }
    try {
      String lines = entry.yaml().stripTrailing().stripIndent();
      gateway.editing().edit(text -> SourcesText.add(text, name, lines));
    } catch (BadValueException e) {
      return new Failed(ReplySender.NO, e.problem(), e.hint());
    } catch (IOException e) {
      return new Failed(
          ReplySender.NO,
          "the gateway may not change its settings file (" + Faults.reason(e) + ")",
          command);
    }
    if (!RunActs.note(gateway, answer.user(), "feeds add", name)) {
      answer.note(RunActs.NOT_AUDITED);
    }
    End reloaded = run.reload(new ConfigReload(false), answer);
    return reloaded instanceof Failed || entry.source().isEmpty()
        ? reloaded
        : feeds.refresh(new FeedsRefresh(List.of(name), false, false), answer);
  }
}
