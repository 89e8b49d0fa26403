package io.bloomgate.gateway.page;

import com.sun.net.httpserver.HttpExchange;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.config.settings.SecretFile;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.html.Templates;
import io.bloomgate.gateway.html.Templates.Filled;
import io.bloomgate.gateway.page.Access.Visitor;
import io.bloomgate.gateway.page.Exchange.Params;
import io.bloomgate.gateway.page.Exchange.RefusedException;
import io.bloomgate.gateway.page.PageSessions.Session;
import io.bloomgate.gateway.page.Tokens.Owner;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The administrator's page: who may see it, which page an address means, and what a form changes.
 * Called by the HTTP endpoint on the virtual thread of each request.
 */
public final class AdminPage {

  private static final Logger LOG = LoggerFactory.getLogger(AdminPage.class);

  /** The exit code of a command that the role of the user does not cover. */
  private static final int FORBIDDEN = 5;

  /** Types of files that need no token, by their paths. */
  private static final Map<String, String> OPEN_FILES =
      Map.of("/page.css", "text/css", "/zone.js", "text/javascript");

  private final HostNames hosts;
  private final Access access;
  private final PageViews views;
  private final Templates templates = new Templates();
  private final Questions questions;
  private final Surroundings world;

  /**
   * The services that the page takes from outside.
   *
   * @param limitReached counts wrong tokens beyond the limit
   */
  public record Surroundings(
      Runnable limitReached,
      InstantSource clock,
      LongSupplier nanoTime,
      SecureRandom random,
      ZoneId zone) {}

  /**
   * The page of a gateway.
   *
   * @param readToken the file {@code admin.token_file}
   */
  public AdminPage(
      Settings settings, Path readToken, Questions questions, Surroundings surroundings) {
    AdminSettings admin = settings.admin();
    Stream<String> own =
        admin.http() == null
            ? Stream.of(settings.hostname())
            : Stream.of(settings.hostname(), admin.http().host());
    this.hosts = new HostNames(Stream.concat(admin.hosts().stream(), own));
    this.access =
        new Access(
            new Tokens(readToken, admin.writeTokensFile()),
            surroundings.random(),
            surroundings.nanoTime(),
            surroundings.limitReached());
    this.questions = questions;
    this.world = surroundings;
    this.views = new PageViews(questions);
  }

  /**
   * Says at the start what would keep everybody out.
   *
   * @throws IOException when {@code admin.token_file} cannot be used; fit for the operator
   */
  public void check() throws IOException {
    try {
      access.tokens.check();
    } catch (SecretFile.UnusableException e) {
      throw new IOException("admin.token_file: " + e.getMessage(), e);
    }
  }

  /**
   * True for a request that shows a token, for what is beside the page and asks for the same one
   * (RFC 6750 section 2.1); otherwise the answer was sent.
   */
  boolean permits(Exchange exchange) throws IOException {
    try {
      if (access.visitor(exchange).isPresent()) {
        return true;
      }
      exchange.setHeader("WWW-Authenticate", "Bearer");
      exchange.send(401, Exchange.TEXT, "a token is needed: Authorization: Bearer TOKEN\n");
    } catch (RefusedException e) {
      exchange.send(e.status(), Exchange.TEXT, e.why() + "\n");
    }
    return false;
  }

  /** Answers one request. */
  public void answer(HttpExchange http) throws IOException {
    Exchange exchange = new Exchange(http);
    try {
      exchange.check();
      if (!hosts.permits(exchange.header("Host"))) {
        throw new RefusedException(
            421, "the page has another name; admin.hosts of the settings names more");
      }
      route(exchange);
    } catch (RefusedException e) {
      exchange.send(e.status(), Exchange.TEXT, e.why() + "\n");
    } catch (RuntimeException e) {
      LOG.error("the page {} failed", exchange.path(), e);
      exchange.send(500, Exchange.TEXT, "the gateway failed at this page; its log says why\n");
    }
  }

  private void route(Exchange exchange) throws IOException, RefusedException {
    String open = OPEN_FILES.get(exchange.path()); // the form for the token needs them
    if (open != null) {
      exchange.sendFile(open, exchange.path().substring(1));
      return;
    }
    if (exchange.isPost()
        && !HostNames.isSameOrigin(exchange.header("Origin"), exchange.header("Host"))) {
      throw new RefusedException(403, "this form came from another site");
    }
    if (exchange.isPost() && exchange.path().equals("/login")) {
      login(exchange);
      return;
    }
    Visitor visitor = access.visitor(exchange).orElse(null);
    if (visitor == null) {
      askForToken(exchange, exchange.address(), "");
    } else if (exchange.isPost()) {
      change(exchange, visitor);
    } else {
      show(exchange, visitor);
    }
  }

  // ---- tokens

  private void askForToken(Exchange exchange, String next, String problem) throws IOException {
    exchange.setHeader("WWW-Authenticate", "Bearer");
    Filled page = new Filled("login", Map.of("next", local(next), "problem", problem));
    exchange.send(401, Exchange.HTML, templates.html(page));
  }

  private void login(Exchange exchange) throws IOException, RefusedException {
    Params form = exchange.form();
    String next = local(form.text("next"));
    if (access.login(form.text("token"), exchange)) {
      exchange.redirect(next);
    } else {
      askForToken(exchange, next, "No file of the gateway has this token.");
    }
  }

  /** An address of ours: never one that a browser reads as that of another host. */
  private static String local(String address) {
    return address.matches("/(?![/\\\\])[!-~]{0,1000}") && !address.startsWith("/login")
        ? address
        : "/";
  }

  // ---- pages

  private void show(Exchange exchange, Visitor visitor) throws IOException, RefusedException {
    if (exchange.path().equals("/live.js")) {
      exchange.sendFile("text/javascript", "live.js");
      return;
    }
    Filled page =
        views
            .of(exchange.path(), exchange.query(), shell(exchange, visitor))
            .orElseThrow(() -> new RefusedException(404, "there is no such page"));
    exchange.send(200, Exchange.HTML, templates.html(page));
  }

  private Shell shell(Exchange exchange, Visitor visitor) {
    Session session = visitor.session();
    boolean part = exchange.path().equals("/live/rows");
    @Nullable Answer outcome = session == null || part ? null : session.outcome().orElse(null);
    return new Shell(
        exchange.path(),
        visitor.owner().name(),
        visitor.owner().role(),
        session == null ? "" : session.formToken(),
        outcome,
        world.clock().instant(),
        zone(exchange));
  }

  /** The zone of the browser, which its script tells; without one that of the gateway. */
  private ZoneId zone(Exchange exchange) {
    try {
      return exchange.cookie("zone").map(ZoneId::of).orElseGet(world::zone);
    } catch (DateTimeException e) {
      return world.zone();
    }
  }

  // ---- changes

  private void change(Exchange exchange, Visitor visitor) throws IOException, RefusedException {
    Params form = exchange.form();
    Session session = visitor.session();
    if (session != null && !Tokens.same(session.formToken(), form.text("form"))) {
      throw new RefusedException(
          403, "this form is not from a page of this login; go back and reload");
    }
    if (session != null && exchange.path().equals("/logout")) {
      access.logout(session, exchange);
      exchange.redirect("/");
      return;
    }
    Owner owner = visitor.owner();
    Change change = Change.of(exchange.path(), form, world.clock().instant());
    Answer answer = questions.ask(change.request(), owner.name(), owner.role());
    if (session != null && owner.role() != Role.READ) {
      session.show(ofForm(answer));
      exchange.redirect(change.back());
    } else {
      int failure = answer.exitCode() == FORBIDDEN ? 403 : 409;
      exchange.send(answer.failure().isEmpty() ? 200 : failure, Exchange.TEXT, words(answer));
    }
  }

  /** A form has a box for what a command has an option for. */
  private static Answer ofForm(Answer answer) {
    String failure =
        answer
            .failure()
            .replace("repeat the command with --force", "tick `force` and send the form again")
            .replace("with --force the", "with `force` the");
    return new Answer(answer.items(), answer.notes(), answer.exitCode(), failure);
  }

  /** An answer for a program. */
  private static String words(Answer answer) {
    String text =
        answer.json() + "\n" + String.join("\n", answer.notes()) + "\n" + answer.failure();
    return text.strip() + "\n";
  }
}
