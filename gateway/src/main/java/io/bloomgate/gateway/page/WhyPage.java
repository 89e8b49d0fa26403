package io.bloomgate.gateway.page;

import com.sun.net.httpserver.HttpExchange;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Role;
import io.bloomgate.config.notation.Rate;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.html.Templates;
import io.bloomgate.gateway.html.Templates.Filled;
import io.bloomgate.gateway.page.Exchange.RefusedException;
import io.bloomgate.gateway.session.RateTable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The public page {@code /why/ID} for a refused sender: which list it was, when, and what to do. It
 * shows no mail address, no recipient and no client address, and says the same of an id that is
 * unknown, malformed, or of mail that no list refused. Called by its own listener on the virtual
 * thread of each request.
 */
public final class WhyPage {

  /** Questions of one {@link ClientNetwork}, whose owner has many addresses. */
  private static final Rate BY_NETWORK = new Rate(30, Duration.ofSeconds(1));

  /** Look-ups at the same time, so that the public leaves room for the administrator. */
  private static final int MAX_LOOKUPS = 1;

  /** The time that a question waits for a look-up. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private static final String PATH = "/why";
  private static final int MAX_ID = 20;
  private static final int MAX_LISTS = 8;

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd 'at' HH:mm 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Questions questions;
  private final Supplier<Settings> settings;
  private final Runnable limitReached;
  private final RateTable<IpAddress> networks;
  private final Semaphore lookups = new Semaphore(MAX_LOOKUPS, true);
  private final Templates templates = new Templates();

  /**
   * Answers about these sessions.
   *
   * @param limitReached counts questions that were not answered
   */
  public WhyPage(
      Questions questions,
      Supplier<Settings> settings,
      Runnable limitReached,
      LongSupplier nanoTime) {
    this.questions = questions;
    this.settings = settings;
    this.limitReached = limitReached;
    this.networks = new RateTable<>(nanoTime);
  }

  /** A list and its page for people; the address is empty when the settings name none. */
  record Listed(String name, String url) {}

  /** The part of a refusal that may be shown. */
  record Refusal(String id, String time, boolean forNow, boolean atConnect, List<Listed> lists) {}

  /** Answers one request. */
  public void answer(HttpExchange http) throws IOException {
    try (http) {
      Exchange exchange = new Exchange(http);
      try {
        exchange.check();
        show(exchange);
      } catch (RefusedException e) {
        exchange.send(e.status(), Exchange.TEXT, e.why() + "\n");
      }
    }
  }

  private void show(Exchange exchange) throws IOException, RefusedException {
    String path = exchange.path();
    if (exchange.isPost() || !(path.equals(PATH) || path.startsWith(PATH + "/"))) {
      throw new RefusedException(404, "here is " + PATH + "/ID");
    }
    if (path.equals(PATH + "/page.css")) {
      exchange.sendFile("text/css", "page.css");
      return;
    }
    String id =
        path.length() > PATH.length() + 1
            ? path.substring(PATH.length() + 1)
            : IncidentId.inRefusal(exchange.query().text("id"));
    if (id.isEmpty()) {
      send(exchange, 200, "", null);
      return;
    }
    if (!networks.take(ClientNetwork.of(exchange.client()), BY_NETWORK)) {
      limitReached.run();
      throw new RefusedException(429, "too many questions; wait a minute and try again");
    }
    Refusal refusal = find(id.length() > MAX_ID ? "" : id).orElse(null);
    send(exchange, refusal == null ? 404 : 200, id, refusal);
  }

  private void send(Exchange exchange, int status, String id, @Nullable Refusal refusal)
      throws IOException {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("id", id);
    values.put("refusal", refusal);
    exchange.setHeader("X-Robots-Tag", "noindex");
    exchange.send(status, Exchange.HTML, templates.html(new Filled("why", values)));
  }

  private Optional<Refusal> find(String id) throws RefusedException {
    Answer answer;
    try {
      if (!lookups.tryAcquire(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new RefusedException(503, "the gateway is busy; try again in a minute");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RefusedException(503, "the gateway stops");
    }
    try {
      answer = questions.ask(new ControlRequest.SessionsShow(id), "", Role.READ);
    } finally {
      lookups.release();
    }
    return answer.items().stream().findFirst().filter(WhyPage::refusedByList).map(this::refusal);
  }

  private static boolean refusedByList(JsonObject session) {
    return session.text("outcome").orElse("").equals("refused")
        && session.object("listing").isPresent()
        && session.text("id").isPresent();
  }

  private Refusal refusal(JsonObject session) {
    JsonObject listing = Show.part(session, "listing");
    return new Refusal(
        Show.raw(session, "id"),
        MINUTE.format(Instant.parse(Show.raw(session, "time"))),
        !Show.raw(session, "verdict").equals("reject"),
        Show.raw(session, "stage").equals(Stage.CONNECT.key()),
        lists(Show.raw(listing, "feed"), Show.raw(listing, "entry")));
  }

  /** The list by its name, and for a rule the lists that it counted; signs are no lists. */
  private List<Listed> lists(String name, String entry) {
    Settings now = settings.get();
    List<Listed> lists = new ArrayList<>();
    for (String one : now.rules().containsKey(name) ? entry.split(",", -1) : new String[] {name}) {
      Settings.Feeds.Source feed = now.feeds().sources().get(one);
      DnsList dns = now.feeds().dnsLists().get(one);
      if (feed != null) {
        lists.add(new Listed(one, feed.infoUrl()));
      } else if (dns != null) {
        lists.add(new Listed(one, dns.infoUrl()));
      }
    }
    return lists.subList(0, Math.min(MAX_LISTS, lists.size()));
  }
}
