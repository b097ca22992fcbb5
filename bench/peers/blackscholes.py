"""The prices of European options by the formula of Black and Scholes."""

from data import between

RATE, VOLATILITY = 0.02, 0.3


def make_input(n):
    return between(5, 30, 1, n), between(1, 100, 2, n), between(0.25, 10, 3, n)


def any_numpy(np, prices, strikes, years):
    def normal(x):
        k = 1 / (1 + 0.2316419 * np.abs(x))
        polynomial = k * (
            0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
        )
        tail = 0.39894228 * np.exp(-0.5 * x * x) * polynomial
        return np.where(x < 0, tail, 1 - tail)

    deviation = VOLATILITY * np.sqrt(years)
    d1 = (np.log(prices / strikes) + (RATE + VOLATILITY * VOLATILITY / 2) * years) / deviation
    d2 = d1 - deviation
    discounted = strikes * np.exp(-RATE * years)
    call = prices * normal(d1) - discounted * normal(d2)
    put = discounted * normal(-d2) - prices * normal(-d1)
    return call, put


torch = any_numpy
