/**
 * One GET over HTTP/1.1 by Apache HttpClient, which nobody else sees.
 *
 * <p>The JDK's client looks a name up again when it connects, so an address that was checked need
 * not be the one that is asked. Here the caller may hand over the addresses ({@link
 * io.bloomgate.blocklists.web.WebRequest#addresses}); name and certificate are checked all the
 * same. No connection is kept, no redirect is followed, no cookie is stored: what happens next is
 * the caller's decision.
 *
 * <p>Called on fetch threads of {@code blocklists.feed}; each {@link
 * io.bloomgate.blocklists.web.WebExchange} belongs to one thread, and any thread may close it.
 */
@NullMarked
package io.bloomgate.blocklists.web;

import org.jspecify.annotations.NullMarked;
