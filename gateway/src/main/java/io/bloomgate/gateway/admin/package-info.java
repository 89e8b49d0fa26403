/**
 * The control socket and the HTTP endpoint.
 *
 * <p>One virtual thread a control connection.
 */
@NullMarked
package io.bloomgate.gateway.admin;

import org.jspecify.annotations.NullMarked;
